#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "foretell/model/budget.h"
#include "foretell/model/event.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/model/service.h"

namespace foretell::predictors {

// Paths that broke an invariant before, the newest kept. What went wrong once is the first thing to
// try on the next cut, where a part of it may have happened already.
class KnownPaths {
 public:
  explicit KnownPaths(const model::Service& service) : service_(service) {}

  // Does nothing if it is known, or empty.
  void Add(const model::Path& path);
  size_t size() const { return paths_.size(); }

  struct Hit {
    std::string invariant;
    model::Path path;  // From the start that was asked for.
  };
  // The first violation of an invariant that `wanted` accepts, by any known path or by what is left
  // of it. Takes one step of the budget for each step tried.
  std::optional<Hit> Try(model::ValidCut start,
                         const std::function<bool(const std::string&)>& wanted,
                         model::Budget& budget) const;

 private:
  static constexpr size_t kPathsMax = 64;
  std::optional<Hit> Follow(model::ValidCut start, const model::Path& path, size_t from,
                            const std::function<bool(const std::string&)>& wanted,
                            model::Budget& budget) const;

  const model::Service& service_;
  std::deque<model::Path> paths_;  // Newest first.
};

}  // namespace foretell::predictors
