#include "foretell/predictors/known_paths.h"

#include <algorithm>

#include "foretell/model/plain/plain_system.h"

namespace foretell::predictors {

void KnownPaths::Add(const model::Path& path) {
  if (path.empty() || std::find(paths_.begin(), paths_.end(), path) != paths_.end()) return;
  paths_.push_front(path);
  if (paths_.size() > kPathsMax) paths_.pop_back();
}

std::optional<KnownPaths::Hit> KnownPaths::Try(
    model::ValidCut start, const std::function<bool(const std::string&)>& wanted,
    model::Budget& budget) const {
  for (const model::Path& path : paths_) {
    for (size_t from = 0; from < path.size() && !budget.spent(); ++from) {
      if (auto hit = Follow(start, path, from, wanted, budget)) return hit;
    }
  }
  return std::nullopt;
}

std::optional<KnownPaths::Hit> KnownPaths::Follow(
    model::ValidCut start, const model::Path& path, size_t from,
    const std::function<bool(const std::string&)>& wanted, model::Budget& budget) const {
  model::PlainSystem system(service_, *start);
  for (size_t i = from; i < path.size() && budget.TakeStep(); ++i) {
    if (!system.Apply(path[i]).ok()) return std::nullopt;
    for (const std::string& name : system.Violated()) {
      if (!wanted(name)) continue;
      return Hit{name, model::Path(path.begin() + static_cast<std::ptrdiff_t>(from),
                                   path.begin() + static_cast<std::ptrdiff_t>(i) + 1)};
    }
  }
  return std::nullopt;
}

}  // namespace foretell::predictors
