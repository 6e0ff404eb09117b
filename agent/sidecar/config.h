#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/id.h"
#include "snapshot/address.h"
#include "snapshot/filter.h"

namespace foretell::agent {

// A node to watch.
struct WatchedNode {
  snapshot::Address address;
  bool steer = true;  // Whether its events may be vetoed.
};

// What `foretell agent` does, as read from agent.toml. Every member has a default that is safe:
// nothing is vetoed unless somebody asks for it.
struct Config {
  using Millis = std::chrono::milliseconds;

  std::string service;
  std::string scenario;  // Empty: the service's live one.
  std::string bug;       // A planted one, for experiments.
  std::vector<std::string> plugins;
  std::vector<WatchedNode> nodes;  // By id.
  snapshot::TlsFiles tls;

  Millis period{1000};          // From one round to the next.
  Millis budget{500};           // For the search of one round.
  Millis collect_timeout{250};  // A node that takes longer is left out of the cut.
  Millis hint_gap{20};          // At least this long between rounds that a node's hint starts.
  uint64_t memory_max = uint64_t{1} << 30;
  double cpu_max = 0.5;  // Of one core, over time.
  uint32_t threads = 2;
  std::vector<std::string> engines = {"known", "por", "lmc", "consequence"};

  snapshot::Mode mode = snapshot::Mode::kObserve;  // Of invariants not named below.
  std::map<std::string, snapshot::Mode> modes;     // By invariant.
  Millis lease{5000};
  uint32_t filters_max = 16;

  std::string archive;  // Files; empty: none.
  uint64_t archive_size_max = uint64_t{256} << 20;
  uint32_t archive_files_max = 4;
  std::string bundles;  // A folder.
  uint32_t bundles_max = 100;
  std::string audit;
  uint64_t audit_size_max = uint64_t{64} << 20;
  uint32_t audit_files_max = 16;
  std::string health;   // HOST:PORT.
  std::string control;  // A unix socket for the kill switch.
  std::string kill_file;

  std::string hash;  // Of all of the above, for the audit log.

  snapshot::Mode ModeOf(const std::string& invariant) const;
};

// Where a value of the configuration can come from besides the file. Later ones win: the file, the
// environment, flags.
struct Overrides {
  std::map<std::string, std::string> environment;             // FORETELL_ROUNDS_PERIOD=2s, ...
  std::vector<std::pair<std::string, std::string>> settings;  // --set rounds.period=2s, in order.
};

// InvalidArgument with one line per mistake, each with file, line, key and what would be right.
absl::StatusOr<Config> ParseConfig(const std::string& file, const std::string& text,
                                   const Overrides& overrides);

// The keys, one per line, with their defaults and meaning: for `foretell validate --help`.
std::string ConfigKeys();

}  // namespace foretell::agent
