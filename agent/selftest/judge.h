#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "foretell/agent/selftest/selftest.h"
#include "foretell/model/family.h"
#include "foretell/search/naive_search.h"

namespace foretell::agent {

// One engine on one service, compared with the naive search.
struct Verdict {
  std::optional<Complaint> complaint;  // Nothing: all is well.
  std::string text;
  std::set<std::string> found;
  bool complete = false;
};

// REQUIRES: the naive search finished. With `twice` also checks that a second run says the same.
Verdict Judge(const SelftestEngine& engine, const model::System& system,
              const search::NaiveResult& truth, uint64_t steps_max, bool twice);

}  // namespace foretell::agent
