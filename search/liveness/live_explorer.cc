#include "foretell/search/liveness/live_explorer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_search.h"

namespace foretell::search {
namespace {

using model::LivenessVerdict;

absl::Status NoSuchProperty(const model::Service& service, const std::string& name) {
  std::vector<std::string> names;
  for (const model::InvariantInfo& info : service.invariants()) {
    if (info.name == name && !info.eventually) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " must always hold; a liveness predicate is one that must hold eventually"));
    }
    if (info.eventually) names.push_back(info.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no liveness predicate ", name,
                   names.empty() ? "; the service has none"
                                 : absl::StrCat("; there is ", absl::StrJoin(names, ", "))));
}

// The number of the predicate, where `start` is a cut of the service.
absl::StatusOr<size_t> FindProperty(const model::Service& service, const LiveOptions& options,
                                    const model::SystemCut& start) {
  if (absl::Status status = model::ValidateCut(service, start); !status.ok()) return status;
  const std::optional<size_t> property = PropertyView::Find(service, options.property);
  if (!property) return NoSuchProperty(service, options.property);
  return *property;
}

// All that it takes to judge single states, without a search around them.
struct Judge {
  Judge(const model::Service& service, size_t property, const LiveOptions& options)
      : view(service, property),
        table(view),
        invariants(table),
        moves(table, invariants, options.count_on),
        oracle(invariants, moves, options.weights, options.seed),
        autopsy(service, property, options.loss, oracle, moves) {}

  const PropertyView view;
  model::TransitionTable table;
  model::InvariantTable invariants;
  RecoveryMoves moves;
  Oracle oracle;
  Autopsy autopsy;
};

std::string SuspicionText(const Oracle::Answer& answer) {
  return absl::StrFormat("%d walks of %d steps or more did not recover. Not proved.", answer.walks,
                         answer.walk_steps);
}

// An answer that a proof and its check have confirmed, or less.
absl::Status Tell(const Oracle::Answer& answer, const model::SystemCut& cut, Judge& judge,
                  const LiveOptions& options, model::Budget& budget, CutJudgement& fate) {
  const bool dead = answer.fate == Oracle::Fate::kDead;
  const bool datagrams =
      judge.view.network().kind == model::NetworkKind::kDatagrams && !cut.in_flight.empty();
  // Of what is alive only losses are left to ask about.
  if (dead || (datagrams && options.loss == Loss::kAny)) {
    auto violation = judge.autopsy.Examine(cut, {}, budget);
    if (!violation.ok()) return violation.status();
    fate.violation = *std::move(violation);
  }
  if (dead) {
    if (!fate.violation) {
      fate.text = "the state looks dead, and its proof did not end within its limit.";
      return absl::OkStatus();
    }
    fate.verdict = LivenessVerdict::kStartDead;
    fate.text = fate.violation->text;
    return absl::OkStatus();
  }
  fate.verdict = LivenessVerdict::kLive;
  const GlobalState state = judge.oracle.Place(cut);
  fate.text = "there is a way to where it holds.";
  if (judge.moves.Live(state)) {
    fate.steps = 0;
    return absl::OkStatus();
  }
  // How long it is at least is worth less than what comes after this.
  constexpr uint32_t kWayPercent = 10;
  model::Budget share = budget.Share(kWayPercent);
  if (const auto way = judge.oracle.WayToLive(state, share)) fate.steps = way->size();
  budget.Charge(share);
  return absl::OkStatus();
}

class LiveExplorer final : public model::Explorer {
 public:
  LiveExplorer(const model::Service& service, LiveOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    const auto property = FindProperty(service_, options_, start);
    if (!property.ok()) return property.status();
    return LiveSearch(service_, *property, options_, start).Run(budget);
  }

 private:
  const model::Service& service_;
  const LiveOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeLiveExplorer(const model::Service& service,
                                                  LiveOptions options) {
  return std::make_unique<LiveExplorer>(service, std::move(options));
}

absl::StatusOr<CutJudgement> JudgeCut(const model::Service& service, const LiveOptions& options,
                                      const model::SystemCut& cut, model::Budget& budget) {
  const auto property = FindProperty(service, options, cut);
  if (!property.ok()) return property.status();
  Judge judge(service, *property, options);
  CutJudgement fate;
  const GlobalState state = judge.oracle.Place(cut);
  if (judge.table.neighbourhood() && NeedsEveryNode(judge.view.invariants()[0].scope)) {
    fate.text = "nodes are absent, and the predicate is about all of them.";
    return fate;
  }
  const Oracle::Answer answer = judge.oracle.Judge(state, budget);
  if (answer.fate != Oracle::Fate::kUnknown) {
    absl::Status status = Tell(answer, cut, judge, options, budget, fate);
    if (!status.ok()) return status;
  } else if (!budget.spent() && answer.walks > 0) {
    fate.verdict = LivenessVerdict::kSuspected;
    fate.text = SuspicionText(answer);
  } else {
    fate.text = "the budget ended before there was an answer.";
  }
  judge.table.Audit();
  if (judge.table.nondeterminism()) {
    return absl::FailedPreconditionError("the service is not deterministic");
  }
  return fate;
}

absl::StatusOr<std::optional<model::Violation>> ExamineDeath(const model::Service& service,
                                                             const LiveOptions& options,
                                                             const model::SystemCut& start,
                                                             const model::Path& path,
                                                             model::Budget& budget) {
  const auto property = FindProperty(service, options, start);
  if (!property.ok()) return property.status();
  return Judge(service, *property, options).autopsy.Examine(start, path, budget);
}

}  // namespace foretell::search
