#include "foretell/integration/sdk/node/commands.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::integration::sdk {
namespace {

// More than thirty years; what is far beyond would not fit into a clock.
constexpr int64_t kMicrosMax = 1'000'000'000'000'000;

// Values come from a service: whatever is in them, an answer keeps its lines.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  return text;
}

std::string Error(const absl::Status& status) {
  return absl::StrCat("error ", OneLine(std::string(status.message())));
}

}  // namespace

void Commands::Run(const std::string& line, const Answer& answer) {
  const std::string text(absl::StripAsciiWhitespace(line));
  const size_t space = text.find(' ');
  const std::string command = text.substr(0, space);
  const std::string rest =
      space == std::string::npos
          ? ""
          : std::string(absl::StripLeadingAsciiWhitespace(text.substr(space + 1)));
  if (command == "call") return Call(rest, answer);
  answer(RunAtOnce(command, rest));
}

std::string Commands::RunAtOnce(const std::string& command, const std::string& rest) {
  if (command == "calls") return Calls();
  if (command == "ask") return Ask(rest);
  if (command == "state") return State();
  if (command == "projections") return Projections();
  if (command == "faults") return SetFaults(rest);
  if (command == "peers") return SetPeers(rest);
  if (command == "stats") return AllStats();
  if (command == "events") return Events();
  if (command == "clock") return Clock(rest);
  if (command == "hint") return hooks_.hint() ? "ok" : "error no agent listens";
  if (command == "stop") {
    hooks_.stop();
    return "ok";
  }
  return absl::StrCat(
      "error unknown command '", OneLine(command.substr(0, 64)),
      "': there are calls, call, ask, state, projections, faults, peers, stats, events, "
      "clock, hint, stop");
}

std::string Commands::Calls() const {
  std::string answer;
  for (const std::string& call : core_.RenderCalls()) absl::StrAppend(&answer, OneLine(call), "\n");
  return answer + ".";
}

void Commands::Call(const std::string& name, const Answer& answer) {
  if (!hooks_.begun()) return answer("error peers are not known yet");
  const Core::CallAnswer now =
      core_.Call(name, [answer](const Core::CallAnswer& later) { answer(CallText(later)); });
  if (now.kind != Core::CallAnswer::Kind::kHeld) answer(CallText(now));
}

std::string Commands::CallText(const Core::CallAnswer& answer) {
  switch (answer.kind) {
    case Core::CallAnswer::Kind::kDone: return absl::StrCat("ok ", OneLine(answer.rendered));
    case Core::CallAnswer::Kind::kRefused:
      return absl::StrCat("refused ", answer.decision, " ", OneLine(answer.reason));
    case Core::CallAnswer::Kind::kUnknown:
    case Core::CallAnswer::Kind::kHeld: break;
  }
  return absl::StrCat("error ", OneLine(answer.reason));
}

std::string Commands::Ask(const std::string& question) const {
  const std::optional<std::string> answer = core_.live().Ask(question);
  if (answer) return absl::StrCat("ok ", OneLine(*answer));
  return absl::StrCat("error '", OneLine(question.substr(0, 64)),
                      "' is not a question that this service answers");
}

std::string Commands::State() const {
  std::string answer;
  const std::string state = core_.live().Encode();
  for (const model::Field& field : core_.service().RenderState(core_.node(), state)) {
    absl::StrAppend(&answer, OneLine(field.name), " = ", OneLine(field.value), "\n");
  }
  return answer + ".";
}

std::string Commands::Projections() const {
  std::string answer;
  const auto infos = core_.service().invariants();
  for (size_t i = 0; i < infos.size(); ++i) {
    const std::optional<std::string> key = core_.live().Project(i);
    absl::StrAppend(&answer, infos[i].name, " ", key ? absl::BytesToHexString(*key) : "none", "\n");
  }
  return answer + ".";
}

std::string Commands::SetFaults(const std::string& words) {
  const auto faults = ParseFaults(words, hooks_.faults(), core_.service().node_count());
  if (!faults.ok()) return Error(faults.status());
  hooks_.set_faults(*faults);
  return absl::StrCat("ok ", ToString(*faults));
}

std::string Commands::SetPeers(const std::string& words) {
  const std::vector<std::string> peers = absl::StrSplit(words, ',');
  const absl::Status status = hooks_.set_peers(peers);
  return status.ok() ? "ok" : Error(status);
}

std::string Commands::Clock(const std::string& micros) {
  std::optional<std::chrono::microseconds> to;
  if (int64_t count = 0; absl::SimpleAtoi(micros, &count) && count >= 0 && count <= kMicrosMax) {
    to = std::chrono::microseconds(count);
  } else if (!micros.empty()) {
    return absl::StrCat("error clock '", OneLine(micros.substr(0, 64)),
                        "': write microseconds since the start of the node");
  }
  const auto answer = hooks_.clock(to);
  return answer.ok() ? absl::StrCat("ok ", *answer) : Error(answer.status());
}

std::string Commands::AllStats() const {
  std::string answer = absl::StrCat("number ", core_.number(), "\n");
  stats_.ForEach([&answer](const char* name, uint64_t value) {
    absl::StrAppend(&answer, name, " ", value, "\n");
  });
  return answer + ".";
}

std::string Commands::Events() const {
  std::string answer;
  for (const std::string& line : core_.counter().Lines()) absl::StrAppend(&answer, line, "\n");
  return answer + ".";
}

}  // namespace foretell::integration::sdk
