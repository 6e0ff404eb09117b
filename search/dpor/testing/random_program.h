#pragma once

// Random programs of processes, small enough to try everything.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/process/program.h"

namespace foretell::search::testing {

enum class Op : uint8_t { kSend, kRecv, kWaitOldest, kWaitAny, kTest };

struct Instruction {
  Op op = Op::kSend;
  std::vector<std::string> mailboxes;
};

struct Shape {
  bool several = false;  // Some receives are for two mailboxes.
};

// Walks through its instructions; what makes no sense at the moment is passed over. A Test that
// fails skips the next one: what is done depends on the answer.
struct Walker {
  size_t at = 0;
  uint32_t posts = 0;
  std::vector<uint32_t> open;
  std::vector<uint32_t> asked;
  bool posted = false;
};

inline model::process::StepFunction<Walker> Walk(std::vector<Instruction> code, uint32_t self) {
  using model::process::Completed;
  using model::process::EndRequest;
  using model::process::Pending;
  using model::process::RecvRequest;
  using model::process::Request;
  using model::process::Result;
  using model::process::SendRequest;
  using model::process::TestRequest;
  using model::process::WaitRequest;
  return [code = std::move(code), self](Walker& w, const Result& result) -> Request {
    if (w.posted) w.open.push_back(w.posts++);
    w.posted = false;
    if (const auto* completed = std::get_if<Completed>(&result)) {
      std::erase(w.open, w.asked[completed->index]);
    }
    if (std::holds_alternative<Pending>(result)) ++w.at;
    while (w.at < code.size()) {
      const Instruction& now = code[w.at++];
      if (now.op == Op::kSend || now.op == Op::kRecv) {
        w.posted = true;
        if (now.op == Op::kRecv) return RecvRequest{now.mailboxes, 0};
        const std::string value = std::to_string(100 * self + w.at);
        return SendRequest{now.mailboxes.front(), value, false, 0};
      }
      if (w.open.empty()) continue;
      w.asked = w.open;
      if (now.op != Op::kWaitAny) w.asked.resize(1);
      if (now.op == Op::kTest) return TestRequest{w.asked, {}};
      return WaitRequest{w.asked, 0};
    }
    return EndRequest();
  };
}

inline model::process::Program RandomProgram(uint64_t seed, const Shape& shape) {
  std::mt19937_64 random(seed);
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  const std::vector<std::string> boxes = {"a", "b", "c"};
  model::process::Program program;
  for (const std::string& box : boxes) program.AddMailbox<uint32_t>(box);
  const size_t processes = 2 + below(2);
  const size_t used = 1 + below(boxes.size());
  for (uint32_t p = 0; p < processes; ++p) {
    std::vector<Instruction> code(2 + below(processes == 2 ? 5 : 3));
    for (Instruction& now : code) {
      now.op = static_cast<Op>(std::min<size_t>(below(8), 4));
      if (below(3) == 0) now.op = below(2) == 0 ? Op::kSend : Op::kRecv;
      now.mailboxes = {boxes[below(used)]};
      if (!shape.several || now.op != Op::kRecv || below(2) == 0) continue;
      const std::string& other = boxes[below(boxes.size())];
      if (other != now.mailboxes.front()) now.mailboxes.push_back(other);
    }
    program.AddSteps<Walker>("p" + std::to_string(p), Walker(), Walk(std::move(code), p + 1));
  }
  return program;
}

}  // namespace foretell::search::testing
