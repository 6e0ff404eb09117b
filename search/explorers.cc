#include "foretell/search/explorers.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/consequence.h"
#include "foretell/search/global_space.h"
#include "foretell/search/node_graphs.h"
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

class SearchExplorer final : public model::Explorer {
 public:
  SearchExplorer(const model::Service& service, SearchOptions options, Kind kind)
      : service_(service), options_(std::move(options)), kind_(kind) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    model::TransitionTable table(service_);
    model::InvariantTable invariants(table);
    GlobalSpace space(table);
    const GlobalState first = space.Start(start);

    model::Report report;
    std::unique_ptr<Quotient> quotient;
    if (options_.quotient) quotient = options_.quotient(space, invariants, start, report.notes);
    std::optional<NodeGraphs> graphs;
    std::unique_ptr<PersistentSets> reduction;
    if (kind_ == Kind::kPor) {
      reduction = Prepare(space, invariants, start, quotient.get(), budget, graphs);
    }
    if (kind_ == Kind::kPor && !reduction) {
      report.notes.push_back(
          "Not reduced: what the nodes may do could not be closed within its share of the budget.");
    }
    Consequence consequence(table.node_count());
    Reduction* const chosen =
        kind_ == Kind::kConsequence ? static_cast<Reduction*>(&consequence) : reduction.get();
    StateSearch search(space, invariants, options_, chosen, nullptr, quotient.get());
    StateSearch::Result result;
    if (!Complains(quotient.get())) result = search.Run(first, Wanted(invariants), budget);

    std::vector<Finding> findings;
    for (const auto& [invariant, state] : result.found) {
      findings.emplace_back(invariant, search.PathTo(state));
    }
    if (Complains(quotient.get())) return absl::FailedPreconditionError(*quotient->complaint());
    if (quotient) report.stats.images_max = quotient->images_max();
    report.stats.transitions = result.transitions;
    report.stats.node_states = table.state_count();
    report.stats.global_states = search.state_count();
    report.stats.depth = result.depth;
    report.stats.bytes = search.bytes();
    report.stats.visited_bytes = search.visited_bytes();
    if (consequence.left_out() > 0) {
      report.notes.push_back(absl::StrCat("Left out ", consequence.left_out(),
                                          " internal events in node states that were not new."));
    }
    const bool cut_off =
        (!findings.empty() && !options_.all_invariants) || consequence.left_out() > 0;
    return Conclude(table, invariants, start, std::move(findings), result.exhausted && !cut_off,
                    budget, std::move(report), Ends::kLookedAt,
                    options_.awaited ? Audits::kPaths : Audits::kAll);
  }

 private:
  // The reduction needs to know all that nodes may do. Where that has no end, or none in sight,
  // the search is better off without.
  std::unique_ptr<PersistentSets> Prepare(GlobalSpace& space, model::InvariantTable& invariants,
                                          const model::SystemCut& start, Quotient* quotient,
                                          model::Budget& budget,
                                          std::optional<NodeGraphs>& graphs) const {
    constexpr uint32_t kSharePercent = 40;
    model::Budget share = budget.Share(kSharePercent);
    graphs.emplace(space.table(), start);
    std::unique_ptr<PersistentSets> reduction;
    if (graphs->Grow(UINT32_MAX, share, options_.progress)) {
      reduction = PersistentSets::Make(space, invariants, *graphs, Wanted(invariants), share);
    }
    // Before the search relies on it: an image of a state that is known is known, too.
    if (reduction && quotient != nullptr && !quotient->Verify(share)) reduction.reset();
    budget.Charge(share);
    return reduction;
  }

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
