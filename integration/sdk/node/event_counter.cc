#include "foretell/integration/sdk/node/event_counter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {

using model::EventKind;

EventCounter::Row EventCounter::MakeRow(std::string word, std::vector<std::string> names) {
  const size_t size = std::max<size_t>(1, names.size());
  return {std::move(word), std::move(names), std::vector<uint64_t>(size)};
}

EventCounter::EventCounter(const model::Service& service)
    : service_(service),
      deliveries_(MakeRow("deliver", service.message_kinds())),
      timers_(MakeRow("timer", service.action_kinds())),
      calls_(MakeRow("call", service.action_kinds())),
      restarts_(MakeRow("restart", {})) {}

void EventCounter::Count(const model::Event& event) {
  if (event.kind == EventKind::kDeliver) {
    ++deliveries_.counts[deliveries_.names.empty() ? 0 : service_.MessageKind(event.body)];
  } else if (event.kind == EventKind::kRestart) {
    ++restarts_.counts[0];
  } else if (event.kind == EventKind::kAction && service_.ValidAction(event.body)) {
    // Calls with arguments of the application's own are none that a walk could take.
    const model::ActionTiming timing = service_.Timing(event.body);
    if (timing.adverse) return;
    Row& row = timing.origin == model::ActionTiming::Origin::kCall ? calls_ : timers_;
    ++row.counts[row.names.empty() ? 0 : service_.ActionKind(event.body)];
  }
}

std::vector<std::string> EventCounter::Lines() const {
  std::vector<std::string> lines;
  for (const Row* row : {&deliveries_, &timers_, &calls_, &restarts_}) {
    for (size_t i = 0; i < row->counts.size(); ++i) {
      if (row->counts[i] == 0) continue;
      lines.push_back(absl::StrCat(row->word, row->names.empty() ? "" : " ",
                                   row->names.empty() ? "" : row->names[i], " ", row->counts[i]));
    }
  }
  return lines;
}

}  // namespace foretell::integration::sdk
