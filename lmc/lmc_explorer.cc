#include "foretell/lmc/lmc_explorer.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/lmc/combinations.h"
#include "foretell/lmc/soundness.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/minimise/minimised_nodes.h"
#include "foretell/search/verdict.h"

namespace foretell::lmc {
namespace {

using model::InvariantSet;
using model::NodeId;

// Exploration must not eat up the time to verify what it finds.
constexpr uint32_t kExplorePercent = 60;

// One check: findBugs of figure 9, in rounds with more and more local events (section 4.2).
class Check {
 public:
  Check(const model::Service& service, const LmcOptions& options, const model::SystemCut& start)
      : options_(options),
        cut_(start),
        table_(service),
        invariants_(table_),
        space_(table_),
        start_(space_.Start(start)),
        graphs_(table_, start),
        combinations_(invariants_, graphs_, table_.node_count()),
        wanted_(invariants_.all()) {
    if (options.quotient) quotient_ = options.quotient(space_, invariants_, start, report_.notes);
    if (options.assertions == Assertions::kDiscard) {
      wanted_ &= ~(InvariantSet{1} << invariants_.assertions());
    }
  }

  absl::StatusOr<model::Report> Run(model::Budget& budget) {
    bool settled = false;
    for (uint32_t bound = 1; !Done(settled) && !last_round_; bound = Wider(bound)) {
      settled = Round(bound, budget);
    }
    if (quotient_ && quotient_->complaint()) {
      return absl::FailedPreconditionError(*quotient_->complaint());
    }
    const bool stopped_early = !findings_.empty() && !options_.all_invariants;
    const bool complete = settled && !stopped_early && !NoteDiscarded();
    return search::Conclude(table_, invariants_, cut_, std::move(findings_), complete, budget,
                            std::move(report_), search::Ends::kLeftOut,
                            options_.awaited ? search::Audits::kPaths : search::Audits::kAll);
  }

 private:
  static uint32_t Wider(uint32_t bound) { return bound > UINT32_MAX / 2 ? UINT32_MAX : 2 * bound; }
  bool Done(bool settled) const {
    return settled || wanted_ == 0 || (quotient_ && quotient_->complaint()) ||
           (!findings_.empty() && !options_.all_invariants);
  }

  // Explores, combines, verifies. True if there is nothing that a later round could add.
  bool Round(uint32_t bound, model::Budget& budget) {
    model::Budget share = budget.Share(kExplorePercent);
    const bool grown = graphs_.Grow(bound, share, options_.progress);
    const bool closed = grown && (!graphs_.held_back() || ClosesSoon(bound, share));
    budget.Charge(share);
    // Wider bounds have nothing to add to closed graphs, whatever verification makes of them.
    last_round_ = closed || share.spent() || budget.spent();
    if (share.spent()) report_.notes.push_back(search::EndedBy(share.ended_by()));
    // Nothing that was held back could happen: these graphs were verified in the last round.
    if (grown && graphs_.transitions() == verified_) return closed && settled_;
    verified_ = graphs_.transitions();
    const bool combined = combinations_.Update(options_.combine, wanted_, budget);
    std::set<Goal> open;
    for (const Goal& goal : combinations_.goals()) {
      if ((wanted_ >> goal.invariant & 1) != 0) open.insert(goal);
    }
    settled_ = VerifyAll(open, closed, budget) && combined;
    FillStats();
    return closed && settled_;
  }

  // Goes on with wider bounds, a little: the last rounds often have next to nothing to add but that
  // the graphs are closed, and to verify is more work than to explore. What is not closed by then
  // is a round like any other, with some node states of the next.
  bool ClosesSoon(uint32_t bound, model::Budget& share) {
    constexpr uint64_t kSteps = 128;
    constexpr uint64_t kPart = 8;
    model::Budget::Limits limits = share.limits();
    limits.steps_max = std::min(limits.steps_max - share.steps_taken(),
                                std::max(kSteps, graphs_.transitions() / kPart));
    model::Budget ahead(limits, [&share] { return share.Now(); });
    bool grown = true;
    do {
      bound = Wider(bound);
      grown = graphs_.Grow(bound, ahead, options_.progress);
    } while (grown && graphs_.held_back());
    share.Charge(ahead);
    return grown;
  }

  // True if the graphs as they are have no more to tell of these goals.
  bool VerifyAll(const std::set<Goal>& open, bool closed, model::Budget& budget) {
    if (open.empty()) return true;
    Soundness::Answer answer = Verify(open, closed, budget);
    for (search::Finding& finding : answer.findings) {
      wanted_ &= ~(InvariantSet{1} << finding.first);
      findings_.push_back(std::move(finding));
    }
    checks_ += answer.checks;
    rejections_ += answer.rejections;
    report_.stats.global_states = report_.stats.global_states.value_or(0) + answer.global_states;
    bytes_ = std::max(bytes_, answer.bytes);
    return answer.settled;
  }

  // Over classes of node states, if all that nodes may do is known. A bound on depth counts
  // deliveries that classes leave out; and where nodes are interchangeable, their classes would
  // have to be renamed with them.
  Soundness::Answer Verify(const std::set<Goal>& open, bool closed, model::Budget& budget) {
    const search::SearchOptions options{options_};
    std::unique_ptr<search::MinimisedNodes> minimised;
    if (closed && !quotient_ && options_.minimise && options_.depth_max == UINT32_MAX) {
      minimised = search::MinimisedNodes::Make(table_, invariants_, graphs_, wanted_,
                                               search::Inert::kDropped, budget);
    }
    if (!minimised) {
      Soundness soundness(space_, invariants_, graphs_, closed ? quotient_.get() : nullptr);
      return soundness.Verify(start_, open, options, budget);
    }
    report_.stats.classes = minimised->class_count();
    search::GlobalSpace space(table_);
    space.Minimise(*minimised);
    const search::GlobalState start = space.Start(cut_);
    return Soundness(space, invariants_, *minimised).Verify(start, open, options, budget);
  }

  void FillStats() {
    report_.stats.transitions = graphs_.transitions();
    report_.stats.node_states = graphs_.state_count();
    report_.stats.system_states = combinations_.system_states();
    report_.stats.soundness_checks = checks_;
    report_.stats.soundness_rejections = rejections_;
    report_.stats.depth = graphs_.depth();
    report_.stats.bytes = std::max(bytes_, graphs_.bytes() + table_.bytes());
    if (quotient_) report_.stats.images_max = quotient_->images_max();
  }

  // Whether discarding node states that break a local assertion left something unchecked.
  bool NoteDiscarded() {
    if (options_.assertions == Assertions::kVerify) return false;
    uint64_t discarded = 0;
    for (uint32_t n = 0; n < table_.node_count(); ++n) {
      for (const model::StateId state : graphs_.States(NodeId(n))) {
        discarded += table_.status(NodeId(n), state) == model::NodeStatus::kFailed ? 1 : 0;
      }
    }
    if (discarded == 0) return false;
    report_.notes.push_back(absl::StrCat("Discarded ", discarded, " node state",
                                         discarded == 1 ? " that breaks" : "s that break",
                                         " a local assertion and may be impossible; "
                                         "--assertions verify checks them."));
    return true;
  }

  const LmcOptions& options_;
  const model::SystemCut& cut_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  search::GlobalSpace space_;
  const search::GlobalState start_;
  model::Report report_;
  std::unique_ptr<search::Quotient> quotient_;
  search::NodeGraphs graphs_;
  Combinations combinations_;
  InvariantSet wanted_;
  std::vector<search::Finding> findings_;
  bool last_round_ = false;
  // Of the last round: how far the graphs were, and whether they had no more to tell.
  uint64_t verified_ = UINT64_MAX;
  bool settled_ = false;
  uint64_t checks_ = 0;
  uint64_t rejections_ = 0;
  uint64_t bytes_ = 0;
};

class LmcExplorer final : public model::Explorer {
 public:
  LmcExplorer(const model::Service& service, LmcOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    return Check(service_, options_, start).Run(budget);
  }

 private:
  const model::Service& service_;
  const LmcOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeLmcExplorer(const model::Service& service,
                                                 LmcOptions options) {
  return std::make_unique<LmcExplorer>(service, std::move(options));
}

}  // namespace foretell::lmc
