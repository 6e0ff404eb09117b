#include "foretell/snapshot/archive/bundle.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {

// Found by ToMessage and FromMessage.
static void Put(const Bundle& from, wire::Bundle::Builder to) {
  Put(from.recorded, to.initSnapshot());
  Put(from.imagined, to.initImagined());
  Put(from.focus, to.initFocus());
  to.setInvariant(from.invariant.c_str());
  to.setText(from.text.c_str());
  auto path = to.initPath(static_cast<unsigned>(from.path.size()));
  for (unsigned i = 0; i < path.size(); ++i) Put(from.path[i], path[i]);
  to.setEngine(from.engine.c_str());
  to.setDecision(from.decision.c_str());
  to.setCommand(from.command.c_str());
  auto plan = to.initPlan(static_cast<unsigned>(from.plan.size()));
  for (unsigned i = 0; i < plan.size(); ++i) Put(from.plan[i], plan[i]);
  to.setPlanText(from.plan_text.c_str());
}

static absl::Status Get(wire::Bundle::Reader from, Bundle& to) {
  to.invariant = from.getInvariant().cStr();
  to.text = from.getText().cStr();
  to.engine = from.getEngine().cStr();
  to.decision = from.getDecision().cStr();
  to.command = from.getCommand().cStr();
  to.plan_text = from.getPlanText().cStr();
  absl::Status status = Get(from.getSnapshot(), to.recorded);
  if (status.ok()) status = Get(from.getImagined(), to.imagined);
  if (status.ok()) status = Get(from.getFocus(), to.focus);
  for (const wire::PathStep::Reader step : from.getPath()) {
    if (!status.ok()) return status;
    status = Get(step, to.path.emplace_back());
  }
  for (const wire::Filter::Reader filter : from.getPlan()) {
    if (!status.ok()) return status;
    status = Get(filter, to.plan.emplace_back());
  }
  return status;
}

absl::Status WriteBundle(const std::string& path, const Bundle& bundle, FileSystem& files) {
  const auto message = ToMessage<wire::Bundle>(bundle);
  if (!message.ok()) return message.status();
  return ReplaceFile(files, path,
                     MakeFrame({.kind = FrameKind::kBundle,
                                .taken = bundle.recorded.taken,
                                .number = bundle.recorded.snapshot.number},
                               "", Compress(*message)));
}

absl::StatusOr<Bundle> ReadBundle(const std::string& path, FileSystem& files) {
  const auto frame = ReadFrameFile(path, FrameKind::kBundle, files);
  if (!frame.ok()) return frame.status();
  const auto message = Decompress(frame->payload, kMessageMax);
  Bundle bundle;
  const absl::Status read =
      message.ok() ? FromMessage<wire::Bundle>(*message, bundle) : message.status();
  if (read.ok()) return bundle;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", std::string(read.message())));
}

}  // namespace foretell::snapshot
