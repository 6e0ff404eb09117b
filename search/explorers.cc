#include "foretell/search/explorers.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/consequence.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/minimise/minimised_nodes.h"
#include "foretell/search/reduction.h"
#include "foretell/search/state_search.h"
#include "foretell/search/verdict.h"

namespace foretell::search {
namespace {

enum class Kind : uint8_t { kGlobal, kPor, kConsequence };

model::InvariantSet Wanted(const model::InvariantTable& invariants) {
  return invariants.all() | invariants.when_stuck();
}

bool Complains(const Quotient* quotient) {
  return quotient != nullptr && quotient->complaint().has_value();
}

// One exploration from one cut.
class Exploration {
 public:
  Exploration(const model::Service& service, const SearchOptions& options, Kind kind,
              const model::SystemCut& start)
      : options_(options),
        kind_(kind),
        start_(start),
        table_(service),
        invariants_(table_),
        space_(table_),
        consequence_(table_.node_count()) {
    graphs_.emplace(table_, start);
    if (options_.quotient) {
      quotient_ = options_.quotient(space_, invariants_, start_, report_.notes);
    }
  }

  absl::StatusOr<model::Report> Run(model::Budget& budget) {
    if (kind_ == Kind::kPor) Reduce(budget);
    Reduction* const chosen =
        kind_ == Kind::kConsequence ? static_cast<Reduction*>(&consequence_) : reduction_.get();
    const bool grows = kind_ == Kind::kGlobal && MayMinimise();
    search_.emplace(space_, invariants_, options_, chosen, nullptr, quotient_.get());
    const uint32_t states_max = grows ? options_.minimise_after : UINT32_MAX;
    StateSearch::Result result;
    if (!Complains(quotient_.get())) {
      result = search_->Run(space_.Start(start_), Wanted(invariants_), budget, states_max);
    }
    while (search_->paused()) {
      if (MinimiseBeside(result.transitions, budget)) {
        // Classes have ids of their own meaning: what is known of states is of no use.
        search_.reset();
        search_.emplace(space_, invariants_, options_, nullptr);
        result = search_->Run(space_.Start(start_), Wanted(invariants_), budget);
      } else {
        const uint32_t states = search_->state_count();
        result = search_->Resume(budget, states > UINT32_MAX / 2 ? UINT32_MAX : 2 * states);
      }
    }
    return Finish(result, budget);
  }

 private:
  absl::StatusOr<model::Report> Finish(const StateSearch::Result& result, model::Budget& budget) {
    std::vector<Finding> findings;
    for (const auto& [invariant, state] : result.found) {
      findings.emplace_back(invariant, search_->PathTo(state));
    }
    if (Complains(quotient_.get())) return absl::FailedPreconditionError(*quotient_->complaint());
    if (quotient_) report_.stats.images_max = quotient_->images_max();
    report_.stats.transitions = result.transitions;
    report_.stats.node_states = table_.state_count();
    if (minimised_) report_.stats.classes = minimised_->class_count();
    report_.stats.global_states = search_->state_count();
    report_.stats.depth = result.depth;
    report_.stats.bytes = search_->bytes();
    report_.stats.visited_bytes = search_->visited_bytes();
    const uint64_t left_out = consequence_.left_out();
    if (left_out > 0) {
      report_.notes.push_back(absl::StrCat("Left out ", left_out,
                                           " internal events in node states that were not new."));
    }
    const bool cut_off = (!findings.empty() && !options_.all_invariants) || left_out > 0;
    return Conclude(table_, invariants_, start_, std::move(findings), result.exhausted && !cut_off,
                    budget, std::move(report_), Ends::kLookedAt,
                    options_.awaited ? Audits::kPaths : Audits::kAll);
  }

  // A bound on depth counts deliveries that classes leave out. Where nodes are interchangeable,
  // their classes would have to be renamed with them: it is one or the other.
  bool MayMinimise() const {
    return options_.minimise && options_.depth_max == UINT32_MAX && !quotient_;
  }

  // The reduction needs to know all that nodes may do. Where that has no end, or none in sight,
  // the search is better off without.
  void Reduce(model::Budget& budget) {
    constexpr uint32_t kSharePercent = 40;
    model::Budget share = budget.Share(kSharePercent);
    if (graphs_->Grow(UINT32_MAX, share, options_.progress)) {
      const bool minimised = MayMinimise() && Minimise(Inert::kDropped, share);
      const StepGraph& graph = minimised ? static_cast<const StepGraph&>(*minimised_) : *graphs_;
      reduction_ = PersistentSets::Make(space_, invariants_, graph, Wanted(invariants_), share);
      if (minimised) graphs_.reset();
    }
    // Before the search relies on it: an image of a state that is known is known, too.
    if (reduction_ && quotient_ && !quotient_->Verify(share)) reduction_.reset();
    budget.Charge(share);
    if (reduction_) return;
    report_.notes.push_back(
        "Not reduced: what the nodes may do could not be closed within its share of the budget.");
  }

  // REQUIRES: the graphs are closed.
  bool Minimise(Inert inert, model::Budget& budget) {
    minimised_ =
        MinimisedNodes::Make(table_, invariants_, *graphs_, Wanted(invariants_), inert, budget);
    if (minimised_) space_.Minimise(*minimised_);
    return minimised_ != nullptr;
  }

  // On streams something inert may have to be delivered before what is behind it, and before the
  // end of a run all of it: steps that a shortest path over classes does not count.
  Inert InertInShortestPaths() const {
    const bool streams = table_.service().network().kind == model::NetworkKind::kStreams;
    return streams || invariants_.when_stuck() != 0 ? Inert::kKept : Inert::kDropped;
  }

  // Closes the graphs if that takes little in comparison with what was done so far. A step there
  // asks what the search does: of these it gets half as many as the search took. It may ask a
  // handler, which can take a thousand times as long: all in all at most twice as often as the
  // search did, or kRunsMin times, which is soon over in any language.
  bool GrowBeside(uint64_t transitions, model::Budget& budget) {
    constexpr uint64_t kPiece = 2048;
    constexpr uint64_t kRunsMin = 16'384;
    const uint64_t before = table_.handler_executions();
    const uint64_t searched = before - runs_beside_;
    const uint64_t runs_max = searched + std::max(2 * searched, kRunsMin);
    uint64_t pieces = std::max<uint64_t>(transitions / 2 / kPiece, 1);
    bool closed = false;
    for (; !closed && pieces > 0 && table_.handler_executions() < runs_max; --pieces) {
      model::Budget part = budget.Steps(kPiece);
      closed = graphs_->Grow(UINT32_MAX, part, options_.progress);
      budget.Charge(part);
    }
    runs_beside_ += table_.handler_executions() - before;
    return closed;
  }

  bool MinimiseBeside(uint64_t transitions, model::Budget& budget) {
    if (!GrowBeside(transitions, budget)) return false;
    if (!Minimise(InertInShortestPaths(), budget)) return false;
    graphs_.reset();
    return true;
  }

  const SearchOptions& options_;
  const Kind kind_;
  const model::SystemCut& start_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  std::optional<NodeGraphs> graphs_;
  uint64_t runs_beside_ = 0;  // Of handlers, for the graphs of `global`.
  GlobalSpace space_;
  std::unique_ptr<Quotient> quotient_;
  std::unique_ptr<MinimisedNodes> minimised_;
  std::unique_ptr<PersistentSets> reduction_;
  Consequence consequence_;
  std::optional<StateSearch> search_;
  model::Report report_;
};

class SearchExplorer final : public model::Explorer {
 public:
  SearchExplorer(const model::Service& service, SearchOptions options, Kind kind)
      : service_(service), options_(std::move(options)), kind_(kind) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    return Exploration(service_, options_, kind_, start).Run(budget);
  }

 private:
  const model::Service& service_;
  const SearchOptions options_;
  const Kind kind_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeGlobalExplorer(const model::Service& service,
                                                    SearchOptions options) {
  return std::make_unique<SearchExplorer>(service, std::move(options), Kind::kGlobal);
}

std::unique_ptr<model::Explorer> MakePorExplorer(const model::Service& service,
                                                 SearchOptions options) {
  return std::make_unique<SearchExplorer>(service, std::move(options), Kind::kPor);
}

std::unique_ptr<model::Explorer> MakeConsequenceExplorer(const model::Service& service,
                                                         SearchOptions options) {
  options.order = Order::kBreadthFirst;
  options.quotient = {};  // What is new to a node is not new to those that are like it.
  return std::make_unique<SearchExplorer>(service, std::move(options), Kind::kConsequence);
}

}  // namespace foretell::search
