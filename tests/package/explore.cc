// Walks through every state of the lock service with nothing but the plain semantics, which is all
// that a program needs that brings its own search.

#include <cstdio>
#include <deque>
#include <set>
#include <utility>

#include "foretell/model/plain/plain_system.h"
#include "lock/lock.h"

namespace {

using foretell::model::Confirm;
using foretell::model::Path;
using foretell::model::PathStep;
using foretell::model::PlainSystem;
using foretell::model::System;
using foretell::model::SystemCut;

// Breadth first, so that the path is a shortest one; empty if nothing can go wrong.
Path FindViolation(const System& system) {
  std::set<SystemCut> seen = {system.start};
  std::deque<std::pair<SystemCut, Path>> frontier = {{system.start, {}}};
  for (; !frontier.empty(); frontier.pop_front()) {
    const auto& [cut, path] = frontier.front();
    const PlainSystem here(*system.service, cut);
    if (!here.Violated().empty()) return path;
    for (const PathStep& step : here.Enabled()) {
      PlainSystem next(*system.service, cut);
      if (!next.Apply(step).ok() || !seen.insert(next.Canonical()).second) continue;
      Path longer = path;
      longer.push_back(step);
      frontier.emplace_back(next.Canonical(), std::move(longer));
    }
  }
  std::printf("%zu states, no violation\n", seen.size());
  return {};
}

// Whether a violation exists and, if so, replays.
bool Violates(const char* bug) {
  const auto system = kLock.Make("start", bug);
  const Path path = FindViolation(*system);
  if (path.empty()) return false;
  const auto violation = Confirm(*system->service, system->start, "one-holder", path);
  std::printf("%zu steps: %s\n", path.size(),
              violation.ok() ? violation->text.c_str() : violation.status().ToString().c_str());
  return violation.ok();
}

}  // namespace

int main() { return Violates("forgets-holder") && !Violates("") ? 0 : 1; }
