#include "foretell/agent/sidecar/report/stories.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {

bool Stories::TooMany(const Alert& alert, UnixTime now) {
  if (!HasHappened(alert)) return false;
  std::vector<UnixTime>& times = happened_[alert.predicted.violation.invariant];
  std::erase_if(times, [now](UnixTime time) { return time + kQuiet < now; });
  if (times.size() >= kHappenedMax) return true;
  times.push_back(now);
  return false;
}

std::vector<Alert> Stories::TakeNews(std::vector<Alert> alerts, UnixTime now,
                                     const RoundSight& sight) {
  // First, so that what comes back after a minute is told as resolved before it is told again.
  Resolve(now);
  std::vector<Alert> news;
  std::set<std::string> seen;
  for (Alert& alert : alerts) {
    const std::string name = StoryOf(alert);
    seen.insert(name);
    const model::Violation& violation = alert.predicted.violation;
    const bool happened = HasHappened(alert);
    const auto [found, added] = told_.try_emplace(
        name,
        Story{.invariant = violation.invariant,
              .what = happened ? absl::StrJoin(alert.breakers, ", ") : "if " + AssumptionOf(alert),
              .happened = happened,
              .death = violation.death != nullptr,
              .since = sight.cut});
    found->second.seen = now;
    found->second.gone_round = 0;
    found->second.proved = false;
    if (added && !TooMany(alert, now)) news.push_back(std::move(alert));
  }
  for (auto& [name, story] : told_) {
    if (!seen.contains(name)) Miss(story, sight);
  }
  return news;
}

void Stories::Miss(Story& story, const RoundSight& sight) const {
  if (story.gone_round == 0) {
    story.gone_round = sight.round;
    story.gone_cut = sight.cut;
  }
  const bool sure = story.happened ? sight.all_nodes : sight.conclusive;
  if (!sure || story.proved) return;
  story.proved = true;
  story.gone_round = sight.round;
  story.gone_cut = sight.cut;
}

std::string Stories::EndOf(const Story& story) {
  const std::string& name = story.invariant;
  const std::string subject = story.happened || story.death ? name : "a violation of " + name;
  const char* fact = story.happened && story.proved ? " is no longer violated"
                     : story.happened               ? " was not seen violated again"
                     : !story.proved                ? " was not found again"
                     : story.death                  ? " can no longer die"
                                                    : " is no longer reachable";
  const char* doubt = story.proved     ? ""
                      : story.happened ? ", but nodes are missing"
                                       : ", but searches were cut short";
  return Printable(absl::StrCat(subject, fact, " since round ", story.gone_round, doubt,
                                story.what.empty() ? "" : ": ", story.what),
                   true);
}

void Stories::Resolve(UnixTime now) {
  for (auto story = told_.begin(); story != told_.end();) {
    const Story& told = story->second;
    if (told.gone_round == 0 || told.seen + kQuiet >= now || (told.death && told.happened)) {
      ++story;
      continue;
    }
    resolved_.push_back({told.invariant, told.since, told.gone_cut, EndOf(told),
                         !told.proved    ? "unseen"
                         : told.happened ? "gone"
                                         : "unreachable"});
    story = told_.erase(story);
  }
}

void Stories::Forget(const std::string& invariant) {
  std::erase_if(told_, [&](const auto& told) { return told.second.invariant == invariant; });
}

}  // namespace foretell::agent
