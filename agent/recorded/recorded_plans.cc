#include "foretell/agent/recorded/recorded_plans.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/recorded/recorded_bundle.h"
#include "foretell/model/describe.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/round_plan.h"
#include "foretell/predictors/views/horizon.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using predictors::FilteredService;
using predictors::Plan;
using snapshot::Bundle;
using snapshot::Filter;

// The round in which it was predicted, as far as that can be made again: what the driver of today
// imagines, and the space that the path was found in.
predictors::Prediction PredictionOf(const model::Service& service, const Bundle& bundle) {
  predictors::Prediction prediction;
  const model::SystemCut& start = StartOf(bundle);
  const model::SystemCut& focus = bundle.focus.nodes.empty() ? start : bundle.focus;
  prediction.spaces.push_back({start, focus, "what was imagined"});
  for (model::Imagined& space : service.Imagine(bundle.recorded.snapshot.cut)) {
    if (space.cut != start) prediction.spaces.push_back(std::move(space));
  }
  return prediction;
}

Outlook OutlookOf(const model::Service& service, const model::SystemCut& cut,
                  const std::string& invariant, Plan plan) {
  Outlook outlook{.plan = std::move(plan), .stops = {}, .goes_on = {}, .holds = {}};
  const std::vector<Filter>& filters = outlook.plan.filters;
  if (filters.empty()) return outlook;
  for (const Filter& filter : filters) {
    outlook.stops.push_back(absl::StrCat(snapshot::FilterKindName(filter.kind), " ",
                                         Describe(service, filter.node, filter.event)));
  }
  const FilteredService exact(service, filters);
  for (const model::PathStep& step : model::PlainSystem(exact, cut).Enabled()) {
    const std::string words = Describe(service, step.node, step.event);
    const bool known =
        std::find(outlook.goes_on.begin(), outlook.goes_on.end(), words) != outlook.goes_on.end();
    if (!exact.IsFiltered(step.node, step.event) && !known) outlook.goes_on.push_back(words);
  }
  outlook.holds = predictors::HoldAgain(
      FilteredService(service, filters, FilteredService::Reach::kAlike), cut, invariant);
  return outlook;
}

Json ToJson(const Outlook& outlook, const Bundle& bundle, const model::Service& service) {
  Json json = {{"text", outlook.plan.text}, {"stops", outlook.stops}};
  json["begins_at"] = nullptr;
  if (outlook.plan.step < bundle.path.size()) {
    const model::PathStep& step = bundle.path[outlook.plan.step];
    json["begins_at"] = {{"step", outlook.plan.step + 1},
                         {"event", Describe(service, step.node, step.event)}};
  }
  json["complete"] = outlook.plan.complete;
  json["assumes"] = outlook.plan.assumes;
  json["goes_on"] = outlook.goes_on;
  json["holds_again"] = outlook.holds;
  return json;
}

std::string List(const std::string& title, const std::vector<std::string>& items,
                 const std::string& none) {
  std::string out = absl::StrCat("  ", title, items.empty() ? " " + none : "", "\n");
  for (const std::string& item : items) absl::StrAppend(&out, "    ", item, "\n");
  return out;
}

std::string OutlookText(const Outlook& outlook, const Plans& plans) {
  std::string out = absl::StrCat("  ", outlook.plan.text, "\n");
  if (outlook.plan.filters.empty()) return out;
  out += List("stops:", outlook.stops, "");
  out += List("still possible now:", outlook.goes_on, "nothing but what the application asks for");
  if (plans.holds.empty()) return out;
  std::vector<std::string> ends;
  std::set_difference(plans.holds.begin(), plans.holds.end(), outlook.holds.begin(),
                      outlook.holds.end(), std::back_inserter(ends));
  const auto names = [](const std::vector<std::string>& list) {
    return list.empty() ? "nothing" : absl::StrJoin(list, ", ");
  };
  return absl::StrCat(out, "  done each time: ", names(outlook.holds),
                      " comes to hold again and again",
                      ends.empty() ? "" : absl::StrCat(", and no longer ", names(ends)), "\n");
}

}  // namespace

absl::StatusOr<Plans> MakePlans(const model::Service& service, const Bundle& bundle,
                                const model::Violation& violation, bool imagine_faults,
                                uint64_t steps_max) {
  predictors::SteeringOptions options{.steerable = std::vector<bool>(service.node_count(), true)};
  if (!imagine_faults) options.steady = predictors::Steady(options.steerable);
  const predictors::Prediction prediction = PredictionOf(service, bundle);
  const predictors::Predicted predicted{violation, 0, bundle.engine};
  const model::SystemCut& cut = StartOf(bundle);
  const auto budget = [steps_max] {
    return model::Budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
  };
  model::Budget first = budget();
  auto plan = predictors::PlanRound(service, prediction, predicted, options, first);
  if (!plan.ok()) return plan.status();
  model::Budget second = budget();
  auto others =
      predictors::PlanAlternatives(service, prediction.spaces[0], violation, options, second);
  if (!others.ok()) return others.status();
  Plans plans{.subject = absl::StrCat(violation.invariant, ", ", violation.path.size(),
                                      violation.path.size() == 1 ? " step" : " steps", " away"),
              .agent = OutlookOf(service, cut, violation.invariant, *std::move(plan)),
              .alternatives = {},
              .holds = predictors::HoldAgain(service, cut, violation.invariant)};
  for (Plan& other : *others) {
    plans.alternatives.push_back(OutlookOf(service, cut, violation.invariant, std::move(other)));
  }
  return plans;
}

std::string PlansJson(const Plans& plans, const Bundle& bundle, const model::Service& service) {
  Json json = {{"invariant", bundle.invariant},
               {"snapshot", bundle.recorded.snapshot.number},
               {"holds_again", plans.holds}};
  json["plan"] = ToJson(plans.agent, bundle, service);
  json["alternatives"] = Json::array();
  for (const Outlook& other : plans.alternatives) {
    json["alternatives"].push_back(ToJson(other, bundle, service));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string PlansText(const Plans& plans, const Bundle& bundle, const model::Service& service) {
  std::string out =
      absl::StrCat("Against ", plans.subject, "\n\nThe plan, for all that is imagined\n",
                   OutlookText(plans.agent, plans));
  if (plans.alternatives.empty()) return out;
  out += "\nAlternatives, by the event of the path that they begin with\n";
  for (const Outlook& other : plans.alternatives) {
    const model::PathStep& step = bundle.path[other.plan.step];
    absl::StrAppend(&out, "\nstep ", other.plan.step + 1, ", ",
                    Describe(service, step.node, step.event), "\n", OutlookText(other, plans));
  }
  return out;
}

}  // namespace foretell::agent
