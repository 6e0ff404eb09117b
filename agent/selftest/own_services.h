#pragma once

// `foretell selftest --plugin`: every engine against the naive search on services that somebody
// brings along, in every scenario and with every planted bug.

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/selftest/selftest.h"
#include "foretell/model/family.h"

namespace foretell::agent {

// One service in one scenario, perhaps with a bug.
struct OwnCase {
  std::string name;      // As an option of `foretell check` has it: "lock --bug forgets-holder".
  bool skipped = false;  // Too many states for the naive search.
  uint64_t states = 0;
  std::set<std::string> violated;          // In truth.
  std::vector<std::string> disagreements;  // "engine lmc: missed violation: ..."
};

// Fails if a service cannot be made. Calls `progress` with the name of each case before it.
absl::StatusOr<std::vector<OwnCase>> CompareServices(
    const model::Catalog& catalog, uint64_t states_max, const std::vector<SelftestEngine>& engines,
    const std::function<void(const std::string&)>& progress = nullptr);

// Prints the cases for people. Returns the exit code: 0 if all agree, else 1.
int PrintCases(const std::vector<OwnCase>& cases, uint64_t states_max, std::ostream& out);

}  // namespace foretell::agent
