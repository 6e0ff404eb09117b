#pragma once

// The findings of one check, as other tools want to know them. Every text in it is one line of
// printable UTF-8 (console/text.h).

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/drawing/space_time.h"
#include "foretell/model/report.h"

namespace foretell::agent {

// One invariant, judged. Nothing holds that was not covered.
struct Judged {
  enum class Verdict : uint8_t { kHolds, kBroken, kUndecided };
  std::string invariant;
  std::string text;  // The promise, in a sentence.
  Verdict verdict = Verdict::kUndecided;
  std::string why;                     // What broke, or why it is not decided.
  std::string opinion;                 // Of a judge outside of Foretell; may be empty.
  const SpaceTime* picture = nullptr;  // The path to where it is broken, if there is one.
};

struct Findings {
  std::string service;
  std::string scenario;
  std::string bug;  // Empty: none.
  std::string engine;
  std::string title;
  std::string sentence;  // The verdict.
  model::Outcome outcome = model::Outcome::kNone;
  bool complete = false;
  std::vector<Judged> judged;
  std::vector<std::string> notes;
  std::string figures;
  std::string covered;  // What was covered, and what not; empty after a violation.
  std::string command;  // Finds it again.
  std::string source;   // The file that findings are about; may be empty.
  double seconds = 0;
};

// The number of invariants with that verdict.
size_t CountOf(const Findings& findings, Judged::Verdict verdict);

// "agreement does not hold: ...", "agreement is not decided: ...", "agreement holds".
std::string VerdictLine(const Judged& judged);

// The step at `index` in one line: "3. node 1 (acceptor): Accept(b=2) from 0; promised: 1 -> 2".
std::string StepLine(const SpaceTime& picture, size_t index);

}  // namespace foretell::agent
