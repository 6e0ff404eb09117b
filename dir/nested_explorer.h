#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dir/component_explorer.h"
#include "dir/cut_checker.h"
#include "dir/global_explorer.h"
#include "dir/job_engine.h"
#include "dir/judge.h"
#include "dir/setting.h"

namespace foretell::dir {

// Hierarchical interface reduction (section 6.1): a component that is divided in turn. What it can
// do in an environment is what its parts can do together there, and that is interface reduction
// again. What the parts do among themselves does not show at the level above, so it adds to no
// global skeleton; what a part can do is found once, whatever goes on around the component.
class NestedExplorer final : public ComponentExplorer, private Judge {
 public:
  // REQUIRES: the component is divided. All outlive this.
  NestedExplorer(const CheckSetting& setting, NumberedTable& table, ComponentId component,
                 Checker checker);

  bool Explore(const Environment& environment, model::Budget& budget, LocalTraces& traces) override;
  std::vector<Suspect> TakeSuspects() override { return std::exchange(suspects_, {}); }
  void Attach(std::atomic<uint64_t>* meter, const std::atomic<bool>* stop) override;
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
