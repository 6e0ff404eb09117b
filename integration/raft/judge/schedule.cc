#include "foretell/integration/raft/judge/schedule.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/render.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;

Message WithoutConfigurations(Message message) {
  if (auto* append = std::get_if<AppendEntries>(&message)) {
    for (Entry& entry : append->entries) {
      if (entry.type == EntryType::kChange) entry.data.clear();
    }
  }
  return message;
}

}  // namespace

absl::StatusOr<Schedule> ScheduleOf(const model::Path& path) {
  Schedule schedule;
  for (const model::PathStep& step : path) {
    Happening happening;
    happening.kind = step.event.kind;
    happening.server = step.node.value();
    happening.peer = step.event.peer.value();
    if (step.event.kind == EventKind::kRestart) {
      happening.written = step.choices.empty() ? 0 : step.choices.front();
    } else {
      happening.failing = std::any_of(step.choices.begin(), step.choices.end(),
                                      [](uint32_t choice) { return choice != 0; });
    }
    bool known = true;
    if (step.event.kind == EventKind::kDeliver) {
      std::optional<Message> message = model::Decode<Message>(step.event.body);
      known = message.has_value();
      if (known) happening.message = *std::move(message);
    } else if (step.event.kind == EventKind::kAction) {
      std::optional<Action> action = model::Decode<Action>(step.event.body);
      known = action.has_value();
      if (known) happening.action = *std::move(action);
    }
    if (!known) {
      return absl::InvalidArgumentError(
          absl::StrCat("step ", schedule.size() + 1, " is no event of the Raft service: ",
                       step.event.body.size(), " bytes that cannot be decoded"));
    }
    schedule.push_back(std::move(happening));
  }
  return schedule;
}

std::string Key(Message message) {
  return model::Encode(WithoutConfigurations(std::move(message)));
}

std::string Text(const Happening& happening) {
  const std::string server = absl::StrCat("server ", happening.server + 1);
  switch (happening.kind) {
    case EventKind::kDeliver:
      return absl::StrCat(server, " receives ",
                          model::RenderLine(WithoutConfigurations(happening.message)),
                          " from server ", happening.peer + 1);
    case EventKind::kAction: return absl::StrCat(server, ": ", model::RenderLine(happening.action));
    case EventKind::kCrash: return absl::StrCat(server, " crashes");
    case EventKind::kRestart: return absl::StrCat(server, " restarts");
    case EventKind::kBreak:
      return absl::StrCat(server, " loses its stream from server ", happening.peer + 1);
    default: return absl::StrCat(server, ": ", model::KindName(happening.kind));
  }
}

}  // namespace foretell::integration::raft
