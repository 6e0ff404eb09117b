#include "foretell/snapshot/archive/bundle.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {

namespace {

template <class List>
void PutPath(const model::Path& from, List to) {
  for (unsigned i = 0; i < to.size(); ++i) Put(from[i], to[i]);
}

template <class List>
absl::Status GetPath(List from, model::Path& to) {
  for (const wire::PathStep::Reader step : from) {
    if (absl::Status status = Get(step, to.emplace_back()); !status.ok()) return status;
  }
  return absl::OkStatus();
}

unsigned Size(size_t size) { return static_cast<unsigned>(size); }

void PutDeath(const model::Death& from, wire::Death::Builder to) {
  to.setCriticalStep(Size(from.critical_step));
  to.setByLoss(from.by_loss);
  auto lost = to.initLost(Size(from.lost.size()));
  for (unsigned i = 0; i < lost.size(); ++i) {
    lost[i].setFrom(from.lost[i].from.value());
    lost[i].setTo(from.lost[i].to.value());
    const std::string& body = from.lost[i].body;
    lost[i].setBody(
        capnp::Data::Reader(reinterpret_cast<const kj::byte*>(body.data()), body.size()));
  }
  PutPath(from.twin, to.initTwin(Size(from.twin.size())));
  auto cures = to.initCures(Size(from.cures.size()));
  for (unsigned i = 0; i < cures.size(); ++i) {
    Put(from.cures[i].step, cures[i].initStep());
    cures[i].setText(from.cures[i].text.c_str());
    cures[i].setHelps(from.cures[i].helps());
    cures[i].setOpen(from.cures[i].effect == model::Cure::Effect::kUnknown);
    cures[i].setSteps(Size(from.cures[i].steps));
  }
  to.setProof(static_cast<wire::DeathProof>(from.proof.how));
  to.setStates(from.proof.states);
}

absl::Status GetDeath(wire::Death::Reader from, model::Death& to) {
  using How = model::DeathProof::How;
  if (static_cast<uint8_t>(from.getProof()) > static_cast<uint8_t>(How::kCovered)) {
    return absl::InvalidArgumentError("its proof is of no kind that is known");
  }
  to.critical_step = from.getCriticalStep();
  to.by_loss = from.getByLoss();
  to.proof = {static_cast<How>(from.getProof()), from.getStates(), /*checked=*/true};
  for (const wire::Message::Reader message : from.getLost()) {
    const auto body = message.getBody().asChars();
    to.lost.push_back({model::NodeId(message.getFrom()), model::NodeId(message.getTo()),
                       std::string(body.begin(), body.size())});
  }
  for (const wire::Cure::Reader cure : from.getCures()) {
    model::Cure& read = to.cures.emplace_back();
    read.text = cure.getText().cStr();
    read.effect = cure.getHelps()  ? model::Cure::Effect::kHelps
                  : cure.getOpen() ? model::Cure::Effect::kUnknown
                                   : model::Cure::Effect::kNone;
    read.steps = cure.getSteps();
    if (absl::Status status = Get(cure.getStep(), read.step); !status.ok()) return status;
  }
  return GetPath(from.getTwin(), to.twin);
}

}  // namespace

// Found by ToMessage and FromMessage.
static void Put(const Bundle& from, wire::Bundle::Builder to) {
  Put(from.recorded, to.initSnapshot());
  Put(from.imagined, to.initImagined());
  Put(from.focus, to.initFocus());
  to.setInvariant(from.invariant.c_str());
  to.setText(from.text.c_str());
  PutPath(from.path, to.initPath(Size(from.path.size())));
  to.setEngine(from.engine.c_str());
  to.setDecision(from.decision.c_str());
  to.setCommand(from.command.c_str());
  auto plan = to.initPlan(Size(from.plan.size()));
  for (unsigned i = 0; i < plan.size(); ++i) Put(from.plan[i], plan[i]);
  to.setPlanText(from.plan_text.c_str());
  if (from.death) PutDeath(*from.death, to.initDeath());
  auto plugins = to.initPlugins(Size(from.plugins.size()));
  for (unsigned i = 0; i < plugins.size(); ++i) plugins.set(i, from.plugins[i].c_str());
  auto earlier = to.initEarlier(Size(from.earlier.size()));
  for (unsigned i = 0; i < earlier.size(); ++i) Put(from.earlier[i], earlier[i]);
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
  if (status.ok()) status = GetPath(from.getPath(), to.path);
  for (const wire::Filter::Reader filter : from.getPlan()) {
    if (!status.ok()) return status;
    status = Get(filter, to.plan.emplace_back());
  }
  for (const auto plugin : from.getPlugins()) to.plugins.emplace_back(plugin.cStr());
  for (const wire::Snapshot::Reader cut : from.getEarlier()) {
    if (!status.ok()) return status;
    status = Get(cut, to.earlier.emplace_back());
  }
  if (!status.ok() || !from.hasDeath()) return status;
  auto death = std::make_shared<model::Death>();
  status = GetDeath(from.getDeath(), *death);
  to.death = std::move(death);
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
