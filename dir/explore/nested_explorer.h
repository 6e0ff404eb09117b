#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "foretell/dir/explore/component_explorer.h"
#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/explore/job_engine.h"
#include "foretell/dir/explore/skeleton_visitor.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/cut_checker.h"

namespace foretell::dir {

// Hierarchical interface reduction (section 6.1): explores a component that is divided in turn. Its
// traces in an environment are those of its parts together there, and finding them is interface
// reduction again. Transitions among the parts do not show at the level above, so they add to no
// global skeleton; the traces of a part are found once, whatever goes on around the component.
class NestedExplorer final : public ComponentExplorer, private SkeletonVisitor {
 public:
  // REQUIRES: the component is divided. All outlive this.
  NestedExplorer(const CheckSetting& setting, NumberedTable& table, ComponentId component,
                 Checker checker);

  bool Explore(const Environment& environment, model::Budget& budget, LocalTraces& traces) override;
  std::vector<Suspect> TakeSuspects() override { return std::exchange(suspects_, {}); }
  void Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop) override;
  Figures figures() const override;

 private:
  bool Visit(const Skeleton& skeleton, Composer& composer, model::Budget& budget) override;
  bool Confirm(const Skeleton& skeleton, Composer& composer, model::InvariantSet broken) override;

  const CheckSetting setting_;  // Of the parts.
  const std::unique_ptr<JobEngine> jobs_;
  GlobalExplorer parts_;
  std::optional<CutChecker> cuts_;  // If invariants are watched.
  std::vector<Suspect> suspects_;
};

}  // namespace foretell::dir
