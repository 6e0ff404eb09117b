#include "foretell/model/process/random/random_program.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::model::process::random {
namespace {

const std::vector<std::string>& Mailboxes() {
  static const std::vector<std::string> kMailboxes = {"a", "b", "c"};
  return kMailboxes;
}

// What the n-th instruction of a process sends, counted from 1.
std::string ValueOf(uint32_t process, size_t nth) { return absl::StrCat(100 * process + nth); }

bool Looks(const Instruction& instruction) {
  return instruction.op != Op::kSend && instruction.op != Op::kRecv;
}

// Where a process stands in its instructions.
struct Walker {
  size_t at = 0;
  uint32_t posts = 0;
  std::vector<uint32_t> open;
  std::vector<uint32_t> asked;
  bool posted = false;
};

void Settle(Walker& w, const std::vector<Instruction>& code, const Result& result) {
  if (w.posted) w.open.push_back(w.posts++);
  w.posted = false;
  if (const auto* completed = std::get_if<Completed>(&result)) {
    std::erase(w.open, w.asked[completed->index]);
    const std::string& refused = code[w.at - 1].refuses;
    Assert(refused.empty() || completed->value != refused, absl::StrCat("refuses ", refused));
  }
  if (std::holds_alternative<Pending>(result)) ++w.at;
}

Request Posting(Walker& w, const Instruction& now, uint32_t self) {
  w.posted = true;
  if (now.op == Op::kRecv) return RecvRequest{now.mailboxes, 0};
  return SendRequest{now.mailboxes.front(), ValueOf(self, w.at), now.buffered, 0};
}

StepFunction<Walker> Walk(std::vector<Instruction> code, uint32_t self) {
  return [code = std::move(code), self](Walker& w, const Result& result) -> Request {
    Settle(w, code, result);
    while (w.at < code.size()) {
      const Instruction& now = code[w.at++];
      if (!Looks(now)) return Posting(w, now, self);
      if (w.open.empty()) continue;
      w.asked = w.open;
      if (now.op != Op::kWaitAny) w.asked.resize(1);
      if (now.op == Op::kTest) return TestRequest{w.asked, {}};
      return WaitRequest{w.asked, now.expires ? 1u : 0u};
    }
    return EndRequest();
  };
}

class Drawing {
 public:
  Drawing(uint64_t seed, const Shape& shape) : random_(seed), shape_(shape) {}

  ProgramSpec Draw() {
    ProgramSpec spec;
    const size_t processes = 2 + Below(2);
    used_ = 1 + Below(Mailboxes().size());
    for (uint32_t p = 0; p < processes; ++p) {
      std::vector<Instruction> code(2 + Below(processes == 2 ? 5 : 3));
      for (Instruction& now : code) DrawInstruction(now);
      spec.processes.push_back(std::move(code));
    }
    // Afterwards, so that shapes differ in nothing else.
    for (std::vector<Instruction>& code : spec.processes) {
      for (Instruction& now : code) Season(spec, now);
    }
    for (size_t i = 0; shape_.contents && i <= Below(2); ++i) {
      spec.contents.push_back(Mailboxes()[Below(used_)]);
    }
    return spec;
  }

 private:
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  void DrawInstruction(Instruction& now) {
    now.op = static_cast<Op>(std::min<size_t>(Below(8), 4));
    if (Below(3) == 0) now.op = Below(2) == 0 ? Op::kSend : Op::kRecv;
    now.mailboxes = {Mailboxes()[Below(used_)]};
    if (!shape_.several || now.op != Op::kRecv || Below(2) == 0) return;
    const std::string& other = Mailboxes()[Below(Mailboxes().size())];
    if (other != now.mailboxes.front()) now.mailboxes.push_back(other);
  }

  void Season(const ProgramSpec& spec, Instruction& now) {
    if (shape_.buffered && now.op == Op::kSend) now.buffered = Below(2) == 0;
    const bool waits = now.op == Op::kWaitOldest || now.op == Op::kWaitAny;
    if (shape_.expires && waits) now.expires = Below(3) == 0;
    if (!shape_.refuses || !Looks(now) || Below(3) > 0) return;
    const size_t p = Below(spec.processes.size());
    now.refuses = ValueOf(static_cast<uint32_t>(p) + 1, 1 + Below(spec.processes[p].size()));
  }

  std::mt19937_64 random_;
  const Shape shape_;
  size_t used_ = 0;
};

std::string TextOf(const Instruction& instruction) {
  static constexpr const char* kNames[] = {"Send", "Recv", "Wait", "WaitAny", "Test"};
  std::string text = kNames[static_cast<size_t>(instruction.op)];
  if (!Looks(instruction)) {
    absl::StrAppend(&text, "(", absl::StrJoin(instruction.mailboxes, "|"), ")");
  }
  if (instruction.buffered) text += " buffered";
  if (instruction.expires) text += " or gives up";
  if (!instruction.refuses.empty()) absl::StrAppend(&text, " refuses ", instruction.refuses);
  return text;
}

}  // namespace

ProgramSpec DrawProgram(uint64_t seed, const Shape& shape) { return Drawing(seed, shape).Draw(); }

Program MakeProgram(const ProgramSpec& spec) {
  Program program;
  for (const std::string& box : Mailboxes()) program.AddMailbox<uint32_t>(box);
  for (size_t i = 0; i < spec.contents.size(); ++i) {
    program.Put(Mailbox<uint32_t>{spec.contents[i]}, static_cast<uint32_t>(i + 1));
  }
  for (uint32_t p = 0; p < spec.processes.size(); ++p) {
    program.AddSteps<Walker>(absl::StrCat("p", p), Walker(), Walk(spec.processes[p], p + 1));
  }
  return program;
}

std::vector<std::string> Describe(const ProgramSpec& spec) {
  std::vector<std::string> lines;
  if (!spec.contents.empty()) {
    lines.push_back(absl::StrCat("there from the beginning: ", absl::StrJoin(spec.contents, ", ")));
  }
  for (size_t p = 0; p < spec.processes.size(); ++p) {
    const std::string code = absl::StrJoin(
        spec.processes[p], ", ",
        [](std::string* out, const Instruction& instruction) { out->append(TextOf(instruction)); });
    lines.push_back(absl::StrCat("p", p, ": ", code));
  }
  return lines;
}

}  // namespace foretell::model::process::random
