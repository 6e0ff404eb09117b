#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

// A command line of `check`, word by word.
struct CheckWords {
  std::string service;
  std::map<std::string, std::string> options;  // By flag. Empty means not given, but for switches.
  std::vector<std::string> plugins;
};

// Limits of a search; the one on depth is an option of the engine.
struct Bounds {
  std::chrono::milliseconds time{60'000};
  uint64_t bytes = uint64_t{4} << 30;
  uint64_t steps = UINT64_MAX;
};

// A check as the command line asks for it. Names are not looked up yet.
struct CheckRequest {
  std::string service;
  std::string scenario;  // With settings, see model/scenario.h.
  std::string bug;
  std::string from;  // A recorded cut: FILE, or FILE#N. Default: the scenario's start.
  std::string engine;
  Bounds bounds;
  predictors::EngineOptions options;
  bool require_complete = false;
  bool require_coverage = false;
  // By flag: where the result goes in that form. A file, or "-" for `console.out`; switches have no
  // value.
  std::map<std::string, std::string> outputs;
  std::string source;  // The file that findings are about.
};

inline constexpr const char* kJsonFlag = "--json";

// InvalidArgument, with the flag in front, for a value that means nothing, and for two outputs to
// one place.
absl::StatusOr<CheckRequest> ReadRequest(const CheckWords& words);

// InvalidArgument if an option was given that means nothing to `engine`: it would be ignored, and
// the user would draw wrong conclusions.
absl::Status CheckAccepted(const CheckWords& words, const predictors::Engine& engine,
                           const std::vector<predictors::Engine>& engines);

// Takes out the options that mean nothing to `engine`.
void DropUntaken(const predictors::Engine& engine, CheckWords& words);

// The command line that finds the same again. REQUIRES: there is a row for every flag.
std::string CommandLine(const CheckWords& words);

}  // namespace foretell::agent
