#pragma once

// Mistakes that compile, and what a check says of them.

#include <functional>
#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/predictors/check/check.h"

namespace foretell::mistakes {

struct RunCase {
  std::string name;     // Of the test.
  std::string written;  // What somebody did, for people.
  std::string read;     // The sentence.
  // How the text begins that has it: what is claimed about the service. Empty: the sentence is the
  // error that is all there is.
  std::string verdict;
  std::function<std::string(const std::string& engine)> text;
  std::vector<std::string> engines = {""};  // The default.
};

inline constexpr const char* kCovered = "no violation: the whole space was covered";
inline constexpr const char* kViolated = "1 violated";
inline constexpr const char* kNotComplete = "no violation found, but the search is not complete";
inline constexpr const char* kFickle = "not deterministic: nothing else can be said";

// What Check says, without a limit on time: nothing may depend on the machine.
std::string TextOf(const model::ServiceFamily& family, const std::string& engine,
                   CheckOptions options = {});

std::vector<std::string> EveryEngine();

std::vector<RunCase> HandlerCases();   // Handlers that do what they should not.
std::vector<RunCase> ProcessCases();   // Programs that block.
std::vector<RunCase> CoverageCases();  // Services of which a check says little.
std::vector<RunCase> OptionCases();    // Names and numbers that do not exist.

}  // namespace foretell::mistakes
