#include "foretell/integration/random/survey.h"

#include <deque>
#include <set>
#include <utility>

#include "foretell/integration/random/random_service.h"
#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration {
namespace {

Sample SampleOf(size_t depth, const model::SystemCut& cut) {
  Sample sample{depth, {}};
  for (const model::NodeState& node : cut.nodes) {
    sample.nodes.push_back(node.status == model::NodeStatus::kFailed
                               ? std::nullopt
                               : model::Decode<RandomState>(node.body));
  }
  return sample;
}

}  // namespace

Survey TakeSurvey(const RandomServiceSpec& spec, size_t states_max) {
  const model::System system = MakeRandomSystem(spec);
  Survey survey;
  std::set<model::SystemCut> seen;
  std::deque<std::pair<size_t, const model::SystemCut*>> frontier;
  const auto reach = [&](size_t depth, const model::PlainSystem& at) {
    const auto [entry, fresh] = seen.insert(at.Canonical());
    if (!fresh) return;
    frontier.push_back({depth, &*entry});
    survey.samples.push_back(SampleOf(depth, *entry));
  };
  reach(0, model::PlainSystem(*system.service, system.start));
  while (!frontier.empty() && seen.size() < states_max) {
    const auto [depth, cut] = frontier.front();
    frontier.pop_front();
    const model::PlainSystem here(*system.service, *cut);
    for (const model::PathStep& step : here.Enabled()) {
      model::PlainSystem next = here;
      FORETELL_CHECK(next.Apply(step).ok());
      reach(depth + 1, next);
    }
  }
  survey.whole = frontier.empty();
  return survey;
}

}  // namespace foretell::integration
