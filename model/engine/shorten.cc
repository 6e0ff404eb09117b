#include "foretell/model/engine/shorten.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "foretell/model/plain/plain_system.h"

namespace foretell::model {
namespace {

bool Broken(const PlainSystem& system, const std::string& invariant) {
  const std::vector<std::string> violated = system.Violated();
  return std::find(violated.begin(), violated.end(), invariant) != violated.end();
}

// `path` without step `left_out` and without what that makes impossible, up to the first violation;
// nothing if there is none.
std::optional<Path> Without(const Service& service, const SystemCut& start,
                            const std::string& invariant, const Path& path, size_t left_out) {
  PlainSystem system(service, start);
  Path rest;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i == left_out || !system.Apply(path[i]).ok()) continue;
    rest.push_back(path[i]);
    if (Broken(system, invariant)) return rest;
  }
  return std::nullopt;
}

}  // namespace

Path Shorten(const Service& service, const SystemCut& start, const std::string& invariant,
             Path path) {
  if (Broken(PlainSystem(service, start), invariant)) return {};
  // From the end: late steps are the ones that most often serve nothing.
  for (size_t i = path.size(); i-- > 0;) {
    std::optional<Path> shorter = Without(service, start, invariant, path, i);
    if (!shorter) continue;
    path = *std::move(shorter);
    i = path.size();
  }
  return path;
}

}  // namespace foretell::model
