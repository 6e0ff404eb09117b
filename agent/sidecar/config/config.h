#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/id.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/views/imagined_faults.h"
#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::agent {

// A node to watch.
struct WatchedNode {
  snapshot::Address address;
  bool steer = true;  // Its events may be vetoed.
};

// Where a value came from.
struct Place {
  // The beginning of messages: "agent.toml:7:9: rounds.period", "FORETELL_ROUNDS_PERIOD" or
  // "--set rounds.period".
  std::string text;
  uint32_t line = UINT32_MAX;  // Of the file; the highest if it is not there.
  uint32_t column = 0;
};

// The settings of `foretell agent`, as read from agent.toml. Every member has a default that is
// safe: nothing is vetoed unless somebody asks for it.
struct Config {
  using Millis = std::chrono::milliseconds;

// The settings themselves: one row each, with its key in the file.
#define FORETELL_SETTING(type, member, standard, ...) type member = standard;
#define FORETELL_KEY(...)
#include "foretell/agent/sidecar/config/settings.inc"
#undef FORETELL_KEY
#undef FORETELL_SETTING

  // Those with sections of their own in the file.
  std::vector<WatchedNode> nodes;  // By id.
  snapshot::TlsFiles tls;
  std::map<std::string, snapshot::Mode> modes;  // By invariant; `mode` for all others.

  std::string hash;  // Of all of the above, for the audit log.

  std::string file;                     // Where it was read.
  std::map<std::string, Place> places;  // Of values: by key, nodes.N for the address of node N.
  // By ONE_HOLDER as in FORETELL_INVARIANTS_ONE_HOLDER: which invariant that is only its service
  // can say. Wins over `modes` until ResolveConfig has made the two one.
  std::map<std::string, snapshot::Mode> variable_modes;
  std::vector<std::string> warnings;  // Probable mistakes that can be meant.

  snapshot::Mode ModeOf(const std::string& invariant) const;
  Place PlaceOf(const std::string& key) const;
};

// As a key or an invariant is written in the name of a variable: "veto.lease" is VETO_LEASE.
std::string VariableName(const std::string& name);

// Where a value of the configuration can come from besides the file. Later ones win: the file, the
// environment, flags.
struct Overrides {
  std::map<std::string, std::string> environment;             // FORETELL_ROUNDS_PERIOD=2s, ...
  std::vector<std::pair<std::string, std::string>> settings;  // --set rounds.period=2s, in order.
};

// InvalidArgument with one line per mistake, each with file, line, key and what would be right, in
// the order of the file.
absl::StatusOr<Config> ParseConfig(const std::string& file, const std::string& text,
                                   const Overrides& overrides);

// TLS files and folders of files that this machine lacks for `config`, one line each. It may be
// meant for another machine, or for one that is not set up yet.
std::vector<std::string> MissingFiles(const Config& config);

// Config::health, taken apart.
absl::StatusOr<snapshot::Address> HealthAddress(const std::string& listen);

// The keys, one per line, with their defaults and meaning: for `foretell validate --help`.
std::string ConfigKeys();

}  // namespace foretell::agent
