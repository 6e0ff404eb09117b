#include "foretell/search/dpor/dpor_explorer.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
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

// Which invariants a state breaks. Those of a program are seen at its processes; the mailboxes
// contribute nothing.
class Looker {
 public:
  Looker(const model::Service& service, Histories& histories)
      : service_(service), histories_(histories) {
    for (size_t i = 0; i < service_.invariants().size(); ++i) {
      const model::InvariantInfo& info = service_.invariants()[i];
      if (!info.eventually) (info.when_stuck ? when_stuck_ : always_).push_back(i);
    }
  }

  bool any_always() const { return !always_.empty(); }
  // The first that `state` breaks and `is_wanted`; those of terminal states if `stuck`.
  std::optional<size_t> Broken(ProcessIds state, bool stuck,
                               const std::function<bool(size_t)>& is_wanted) {
    for (const auto* const asked : {&always_, &when_stuck_}) {
      if (asked == &when_stuck_ && !stuck) continue;
      for (const size_t invariant : *asked) {
        if (is_wanted(invariant) && Breaks(invariant, state)) return invariant;
      }
    }
    return std::nullopt;
  }

 private:
  using Key = std::optional<std::string>;
  bool Breaks(size_t invariant, ProcessIds state) {
    std::vector<Key> keys;
    for (uint32_t p = 0; p + 1 < state.size(); ++p) {
      keys.push_back(histories_.Project(invariant, p, state[p]));
    }
    keys.emplace_back();
    const auto violates = [&](std::span<const Key> of_set) {
      return service_.Violates(invariant, of_set);
    };
    return !model::FirstBroken<std::string>(service_.invariants()[invariant].scope, keys, violates)
                .empty();
  }

  const model::Service& service_;
  Histories& histories_;
  std::vector<size_t> always_;
  std::vector<size_t> when_stuck_;
};

// One exploration.
class Exploration {
 public:
  Exploration(const model::Service& service, const DporOptions& options, model::Budget& budget,
              const model::SystemCut& start)
      : options_(options),
        budget_(budget),
        start_(start),
        table_(service),
        invariants_(table_),
        space_(table_, start),
        execution_(space_, options.relation, options.buffers),
        looker_(service, space_.histories()),
        wanted_(invariants_.all() | invariants_.when_stuck()) {}

  absl::StatusOr<model::Report> Run() {
    Followed followed;
    if (LookAtStart()) {
      followed = Follow(execution_, options_,
                        {.step = [this] { return Step(); }, .end = [this] { return End(); }});
    }
    model::Report report;
    report.stats.transitions = followed.transitions;
    report.stats.traces = followed.traces;
    report.stats.blocked = followed.blocked;
    report.stats.traces_before_violation = traces_before_;
    report.stats.depth = followed.depth;
    report.stats.node_states = space_.histories().count();
    report.stats.bytes = Bytes();
    report.notes.push_back(absl::StrCat(
        followed.traces, followed.traces == 1 ? " execution" : " executions",
        " followed to the end, ", followed.blocked, " given up",
        traces_before_ ? absl::StrCat(", ", *traces_before_, " before the first violation") : "",
        "."));
    Show();
    if (const auto caught = space_.histories().Audit()) {
      return NotDeterministic(std::move(report), *caught);
    }
    const bool cut_off = !findings_.empty() && !options_.all_invariants;
    const bool all = options_.algorithm != Algorithm::kPaper;
    return Conclude(table_, invariants_, start_, std::move(findings_),
                    followed.finished && !cut_off && all, budget_, std::move(report),
                    Ends::kLookedAt);
  }

 private:
  uint64_t Bytes() const { return table_.bytes() + space_.bytes() + invariants_.bytes(); }

  bool Step() {
    if (++steps_ % kTellEach == 0) {
      budget_.HoldBytes(Bytes());
      if (options_.progress) {
        options_.progress({.phase = "exploring",
                           .transitions = steps_,
                           .depth = execution_.size(),
                           .bytes = Bytes(),
                           .text = absl::StrCat(traces_, " executions")});
      }
    }
    Note(execution_.event(execution_.size() - 1));
    if (!budget_.TakeStep()) return false;
    if (execution_.step(execution_.size() - 1).fails && !Found(invariants_.assertions())) {
      return false;
    }
    return !looker_.any_always() || Look(/*stuck=*/false);
  }
  bool End() {
    // Where a node is absent, nobody knows that nothing is possible any more.
    const bool goes_on = Look(/*stuck=*/!table_.neighbourhood());
    Show();
    ++traces_;
    return goes_on;
  }
  // Every kind of step of every process is run by the service itself once: it judges our numbers,
  // and whoever watches it (predictors/coverage) has seen all that there is.
  void Note(const Execution::Event& event) {
    const ProcessSpace::Step& step = *event.step;
    const bool in_vain = step.office == execution_.state(execution_.size() - 1).back();
    size_t index = event.process * 3 + static_cast<size_t>(step.touched.kind);
    index = index * 3 + static_cast<size_t>(step.via);
    index = index * 4 + (in_vain ? 2 : 0) + (step.fails ? 1 : 0);
    if (shown_.size() <= index) shown_.resize(index + kStepKinds);
    if (shown_[index]) return;
    shown_[index] = to_show_ = true;
  }
  void Show() {
    if (std::exchange(to_show_, false)) (void)space_.Walk(Taken());
  }
  std::vector<ProcessSpace::Taken> Taken() const {
    std::vector<ProcessSpace::Taken> taken;
    for (size_t i = 0; i < execution_.size(); ++i) {
      taken.emplace_back(execution_.turn(i).process, &execution_.step(i));
    }
    return taken;
  }

  // What is broken before anything has happened.
  bool LookAtStart() {
    for (uint32_t p = 0; p < space_.process_count(); ++p) {
      const bool fails = space_.histories().WishOf(p, space_.start()[p]).fails;
      if (fails && !Found(invariants_.assertions())) return false;
    }
    return Look(/*stuck=*/false);
  }

  // What is broken here. False: enough.
  bool Look(bool stuck) {
    const auto is_wanted = [this](size_t invariant) { return (wanted_ >> invariant & 1) != 0; };
    while (const auto broken =
               looker_.Broken(execution_.state(execution_.size()), stuck, is_wanted)) {
      if (!Found(*broken)) return false;
    }
    return true;
  }

  // False: enough.
  bool Found(size_t invariant) {
    const model::InvariantSet bit = model::InvariantSet{1} << invariant;
    if ((wanted_ & bit) == 0) return wanted_ != 0;
    wanted_ &= ~bit;
    findings_.emplace_back(invariant, space_.Walk(Taken()).path());
    if (!traces_before_) traces_before_ = traces_;
    return options_.all_invariants && wanted_ != 0;
  }

  static constexpr uint64_t kTellEach = 4096;
  static constexpr size_t kStepKinds = 3 * 3 * 4;  // What is touched, via what, to what end.

  const DporOptions options_;
  model::Budget& budget_;
  const model::SystemCut& start_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  ProcessSpace space_;
  Execution execution_;
  Looker looker_;
  model::InvariantSet wanted_;
  std::vector<Finding> findings_;
  std::vector<bool> shown_;  // By process and kind of step.
  bool to_show_ = false;     // There is something new in the execution at hand.
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
    return Exploration(service_, options_, budget, start).Run();
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
