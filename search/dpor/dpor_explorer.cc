#include "foretell/search/dpor/dpor_explorer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/process/protocol.h"
#include "foretell/search/verdict.h"

namespace foretell::search {
namespace {

// One exploration.
class Exploration {
 public:
  Exploration(const model::Service& service, const DporOptions& options, model::Budget& budget)
      : options_(options),
        budget_(budget),
        table_(service),
        invariants_(table_),
        space_(table_),
        wanted_(invariants_.all() | invariants_.when_stuck()) {}

  absl::StatusOr<model::Report> Run(const model::SystemCut& start) {
    const ProcessIds first = space_.Start(start, before_);
    Followed followed = FollowFrom(first);
    // Wakeup trees are for steps that come to one thing: with others one kind in thousands of
    // random programs was missed, and none by source sets (dpor_test.cc).
    if (options_.algorithm == Algorithm::kOptimal && space_.open_outcomes()) {
      options_.algorithm = Algorithm::kSource;
      if (findings_.empty() || options_.all_invariants) followed = FollowFrom(first);
    }
    model::Report report;
    report.stats.transitions = followed.transitions;
    report.stats.traces = followed.traces;
    report.stats.depth = followed.depth;
    report.stats.node_states = table_.state_count();
    report.stats.bytes = Bytes();
    report.notes.push_back(absl::StrCat(
        followed.traces, " executions followed to their end, ", followed.blocked, " given up",
        traces_before_ ? absl::StrCat(", ", *traces_before_, " before the first violation") : "",
        "."));
    const bool cut_off = !findings_.empty() && !options_.all_invariants;
    const bool all = options_.algorithm != Algorithm::kPaper;
    return Conclude(table_, invariants_, start, std::move(findings_),
                    followed.finished && !cut_off && all, budget_, std::move(report),
                    Ends::kLookedAt);
  }

 private:
  Followed FollowFrom(const ProcessIds& first) {
    Execution execution(space_, first, options_.relation, options_.buffers);
    execution_ = &execution;
    traces_ = 0;
    if (!Look(0)) return {};
    return Follow(execution, options_, {[this] { return Step(); }, [this] { return End(); }});
  }

  uint64_t Bytes() const { return table_.bytes() + space_.bytes() + invariants_.bytes(); }

  bool Step() {
    if (++steps_ % kTellEach == 0) {
      budget_.HoldBytes(Bytes());
      if (options_.progress) {
        options_.progress({.phase = "exploring",
                           .transitions = steps_,
                           .depth = execution_->size(),
                           .bytes = Bytes(),
                           .text = absl::StrCat(traces_, " executions")});
      }
    }
    if (options_.algorithm == Algorithm::kOptimal && space_.open_outcomes()) return false;
    return budget_.TakeStep() && Look(0);
  }
  bool End() {
    const bool goes_on = Look(invariants_.when_stuck());
    ++traces_;
    return goes_on;
  }

  // What is broken here. Ends are looked at with `ends`, the invariants that are about them. False:
  // enough.
  bool Look(model::InvariantSet ends) {
    const ProcessIds& state = execution_->state(execution_->size());
    signatures_.resize(state.size());
    for (uint32_t n = 0; n < state.size(); ++n) {
      signatures_[n] = invariants_.Signature(model::NodeId(n), model::StateId(state[n]));
    }
    const model::InvariantSet asked = (invariants_.all() | ends) & wanted_;
    const model::InvariantSet broken = invariants_.Violated(signatures_) & asked;
    if (broken == 0) return true;
    for (size_t i = 0; i < invariants_.count(); ++i) {
      if ((broken >> i & 1) == 0) continue;
      wanted_ &= ~(model::InvariantSet{1} << i);
      findings_.emplace_back(i, execution_->Path(before_));
      if (!traces_before_) traces_before_ = traces_;
      if (!options_.all_invariants) return false;
    }
    return wanted_ != 0;
  }

  static constexpr uint64_t kTellEach = 4096;

  DporOptions options_;
  model::Budget& budget_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  ProcessSpace space_;
  model::InvariantSet wanted_;
  Execution* execution_ = nullptr;
  std::vector<ProcessSpace::Part> before_;  // From the start of the check to that of the space.
  std::vector<uint32_t> signatures_;
  std::vector<Finding> findings_;
  uint64_t steps_ = 0;
  uint64_t traces_ = 0;
  std::optional<uint64_t> traces_before_;
};

class DporExplorer final : public model::Explorer {
 public:
  DporExplorer(const model::Service& service, DporOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    if (absl::Status status = CoveredByDpor(service_, start); !status.ok()) {
      model::Report report;
      report.outcome = model::Outcome::kBudget;
      report.notes.push_back(absl::StrCat(std::string(status.message()), "."));
      return report;
    }
    return Exploration(service_, options_, budget).Run(start);
  }

 private:
  const model::Service& service_;
  const DporOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeDporExplorer(const model::Service& service,
                                                  DporOptions options) {
  return std::make_unique<DporExplorer>(service, std::move(options));
}

absl::Status CoveredByDpor(const model::Service& service, const model::SystemCut& start) {
  if (!model::process::IsProgram(service)) {
    return absl::FailedPreconditionError(
        "engine dpor is for programs of processes that block, such as flawed-order");
  }
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    const model::FaultBudget faults = service.faults(model::NodeId(n));
    if (faults.crashes_max > 0 || faults.breaks_max > 0) {
      return absl::FailedPreconditionError(
          "engine dpor knows no faults; engines global, por and lmc do");
    }
  }
  (void)start;
  return absl::OkStatus();
}

}  // namespace foretell::search
