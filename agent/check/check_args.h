#pragma once

#include <string>
#include <vector>

namespace foretell::agent {

// `foretell check`, as the user typed it; empty means not given.
struct CheckArgs {
  std::string service;
  std::string scenario;
  std::string bug;
  std::string from;  // A recorded cut: FILE, or FILE#N. Default: the scenario's start.
  std::string engine;
  std::string budget;  // Default 60s.
  std::string steps;
  std::string depth;
  std::string memory;      // Default 4GiB.
  std::string order;       // bfs or dfs.
  std::string assertions;  // discard or verify.
  std::string threads;     // Default 2.
  std::string components;  // Like 0,1/2-5. Default: the scenario's.
  std::string dependency;  // exact or conservative.
  std::string journal;     // Where engine dir goes on if it is killed.
  bool all_invariants = false;
  bool require_complete = false;
  std::vector<std::string> plugins;  // Already loaded; here for the command that is printed.
  std::string json;                  // A file, or "-" for `streams.out`.
};

// The command line that does the same again, in full.
std::string CommandLine(const CheckArgs& args);

}  // namespace foretell::agent
