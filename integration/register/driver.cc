#include <string>

#include "foretell/integration/register/protocol.h"

namespace foretell::integration::registers {
namespace {

using Cut = Protocol::Cut;
using Imagined = Protocol::Imagined;

constexpr const char* kWriteCall = "BeginWrite(value=";

// What a value may be: one word, so that it can be asked for in one line.
bool IsWord(const std::string& value) {
  return !value.empty() && value.size() <= 100 &&
         value.find_first_of(" \t\r\n,()") == std::string::npos;
}

Imagined AllowReads(const Cut& live, uint32_t reads, const std::string& text) {
  Cut cut = live;
  if (auto& client = cut.nodes[kClient.index()]) {
    client->writer.left = 0;
    client->reader.left = reads;
  }
  return {cut, cut, text};
}

}  // namespace

model::ActionTiming Protocol::Timing(const Action& action) const {
  using std::chrono_literals::operator""ms;
  if (!std::holds_alternative<AskAgain>(action)) return {};
  return {.origin = model::ActionTiming::Origin::kTimer, .delay = 500ms};
}

std::vector<Protocol::Action> Protocol::Calls(model::NodeId node, const State& state) const {
  std::vector<Action> calls;
  if (node != kClient) return calls;
  if (!state.writer.writes()) {
    calls.emplace_back(BeginWrite{"w" + std::to_string(state.writer.ts + 1)});
  }
  if (!state.reader.reads) calls.emplace_back(BeginRead{});
  return calls;
}

// "BeginWrite(value=hello)".
std::optional<Protocol::Action> Protocol::ParseCall(const std::string& text) const {
  const std::string head = kWriteCall;
  if (!text.starts_with(head) || !text.ends_with(")")) return std::nullopt;
  const std::string value = text.substr(head.size(), text.size() - head.size() - 1);
  if (!IsWord(value)) return std::nullopt;
  return BeginWrite{value};
}

// "write": the write that was over last, and whether one is under way. "read": what the read that
// was begun last has returned.
std::optional<std::string> Protocol::Ask(const State& state, const std::string& question) const {
  const Writer& writer = state.writer;
  const Reader& reader = state.reader;
  if (question == "write") {
    return (writer.writes() ? "writing " : "written ") + std::to_string(writer.ts);
  }
  if (question != "read") return std::nullopt;
  if (reader.number == 0) return "nothing";
  if (reader.reads) return "reading " + std::to_string(reader.number);
  return "read " + std::to_string(reader.number) + " value " +
         (reader.best == 0 ? "none" : reader.value) + " timestamp " + std::to_string(reader.best);
}

// A read is what can go wrong. What the application will write next nobody knows.
std::vector<Imagined> Protocol::Imagine(const Cut& live_cut) const {
  if (!live) return {{live_cut, live_cut, "the writes and reads that are left"}};
  std::vector<Imagined> spaces;
  if (!live_cut.in_flight.empty()) {
    spaces.push_back(AllowReads(live_cut, 0, "nobody calls; messages arrive"));
  }
  spaces.push_back(AllowReads(live_cut, 1, "the application reads"));
  return spaces;
}

}  // namespace foretell::integration::registers
