#include "foretell/search/cover/cover_explorer.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/cover/cover_search.h"
#include "foretell/search/verdict.h"

namespace foretell::search {
namespace {

using model::InvariantSet;
using model::NodeId;

// Shortening takes time by the square of it: seconds for this many. Nobody reads more either.
constexpr size_t kPathStepsMax = 1'000;

// One exploration.
class Check {
 public:
  Check(const model::Service& service, const model::ExploreOptions& options)
      : options_(options),
        table_(service),
        invariants_(table_),
        search_(table_),
        wanted_(invariants_.all()),
        signatures_(table_.node_count()) {}

  absl::StatusOr<model::Report> Run(const model::SystemCut& start, model::Budget& budget) {
    search_.Begin(start);
    for (uint32_t looked = 0; wanted_ != 0; ++looked) {
      search_.Grow(looked + 1, budget, options_.progress);
      if (looked == search_.system_count()) break;
      Look(looked);
    }
    // Who stops at the first violation has not seen the rest.
    const bool stopped = !findings_.empty() && !options_.all_invariants;
    const bool exhausted = (wanted_ == 0 || search_.finished()) && !stopped && !pathless_;
    Count();
    return Conclude(table_, invariants_, start, std::move(findings_), exhausted, budget,
                    std::move(report_));
  }

 private:
  // Invariants see nodes only: each system state is looked at once.
  void Look(uint32_t system) {
    const auto states = search_.system(system);
    for (uint32_t n = 0; n < states.size(); ++n) {
      signatures_[n] = invariants_.Signature(NodeId(n), states[n]);
    }
    const InvariantSet violated = invariants_.Violated(signatures_) & wanted_;
    for (size_t i = 0; i < invariants_.count(); ++i) {
      if ((violated >> i & 1) != 0) Keep(i, system);
    }
    if (violated != 0) wanted_ = options_.all_invariants ? wanted_ & ~violated : 0;
  }

  void Keep(size_t invariant, uint32_t system) {
    std::optional<model::Path> path = search_.PathTo(system, kPathStepsMax);
    if (path) {
      findings_.emplace_back(invariant, *std::move(path));
      return;
    }
    pathless_ = true;
    report_.notes.push_back(
        absl::StrCat(invariants_.info(invariant).name,
                     " can be violated, but the way that was found has more than ", kPathStepsMax,
                     " steps and is not shown; engine global may find a shorter one."));
  }

  void Count() {
    report_.stats.transitions = search_.transitions();
    report_.stats.node_states = table_.state_count();
    report_.stats.system_states = search_.system_count();
    report_.stats.global_states = search_.tree().size();
    report_.stats.depth = search_.depth();
    report_.stats.bytes = search_.bytes() + invariants_.bytes();
    report_.stats.visited_bytes = search_.visited_bytes();
  }

  const model::ExploreOptions& options_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  CoverSearch search_;
  InvariantSet wanted_;
  std::vector<uint32_t> signatures_;
  std::vector<Finding> findings_;
  bool pathless_ = false;  // A violation has no path that could be shown.
  model::Report report_;
};

class CoverExplorer final : public model::Explorer {
 public:
  CoverExplorer(const model::Service& service, model::ExploreOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    if (const absl::Status covered = CoveredByCover(service_, start); !covered.ok()) {
      model::Report report;
      report.outcome = model::Outcome::kBudget;
      report.notes.push_back(
          absl::StrCat("Nothing was explored: ", std::string(covered.message()), "."));
      return report;
    }
    return Check(service_, options_).Run(start, budget);
  }

 private:
  const model::Service& service_;
  const model::ExploreOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeCoverExplorer(const model::Service& service,
                                                   model::ExploreOptions options) {
  return std::make_unique<CoverExplorer>(service, std::move(options));
}

absl::Status CoveredByCover(const model::Service& service, const model::SystemCut&) {
  if (service.network().kind == model::NetworkKind::kDatagrams) return absl::OkStatus();
  return absl::UnimplementedError("engine cover does not cover streams, only datagrams");
}

}  // namespace foretell::search
