#include "foretell/agent/sidecar/collector.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/protocol/validate.h"

namespace foretell::agent {
namespace {

// Numbers spread: all nodes follow the highest, and refuse one that is kJumpMax ahead of their own.
// One that is further ahead of the others than this is not believed, or the node that made it up
// would lock all others out.
constexpr uint64_t kAheadMax = snapshot::kJumpMax / 2;

NodeAnswer AnswerOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk: return NodeAnswer::kOk;
    case absl::StatusCode::kUnavailable: return NodeAnswer::kUnavailable;
    case absl::StatusCode::kDeadlineExceeded: return NodeAnswer::kDeadlineExceeded;
    case absl::StatusCode::kNotFound: return NodeAnswer::kPruned;
    case absl::StatusCode::kResourceExhausted: return NodeAnswer::kLimited;
    case absl::StatusCode::kInvalidArgument: return NodeAnswer::kGarbage;
    case absl::StatusCode::kFailedPrecondition: return NodeAnswer::kWrongVersion;
    default: return NodeAnswer::kFailed;
  }
}

// Nodes that have answered and are left out all the same, for a gap in a stream.
void NameGaps(Collected& collected) {
  for (const snapshot::Absent& absent : collected.snapshot->absent) {
    const size_t n = absent.node.index();
    if (!collected.reasons[n].empty()) continue;
    collected.reasons[n] = absent.reason;
    collected.nodes[n].answer = NodeAnswer::kGap;
  }
}

std::string Differs(const char* what, const std::string& theirs, const std::string& ours) {
  return theirs == ours ? "" : absl::StrCat("its ", what, " is '", theirs, "', ours '", ours, "'");
}

}  // namespace

std::string Collector::MismatchReason(const snapshot::NodeInfo& info) const {
  for (const std::string& difference :
       {Differs("service", info.service, origin_.service),
        Differs("scenario", info.scenario, origin_.scenario),
        Differs("planted bug", info.bug, origin_.bug),
        Differs("service version", info.version, origin_.version)}) {
    if (!difference.empty()) return difference;
  }
  if (info.node_count == service_.node_count()) return "";
  return absl::StrCat("it knows of ", info.node_count, " nodes, we of ", service_.node_count());
}

void Collector::RefreshIdentities() {
  const auto infos = client_.Infos(timeout_);
  identities_.resize(infos.size());
  uint64_t lowest = UINT64_MAX;
  for (size_t n = 0; n < infos.size(); ++n) {
    identities_[n].known = infos[n].ok();  // If not, collecting will say why.
    identities_[n].mismatch = infos[n].ok() ? MismatchReason(*infos[n]) : "";
    if (infos[n].ok() && identities_[n].mismatch.empty()) {
      lowest = std::min(lowest, infos[n]->checkpoint);
    }
  }
  for (size_t n = 0; n < infos.size(); ++n) {
    if (!infos[n].ok() || !identities_[n].mismatch.empty()) continue;
    if (infos[n]->checkpoint - lowest > kAheadMax) {
      identities_[n].mismatch = absl::StrCat("its checkpoint number is ", infos[n]->checkpoint,
                                             ", that of another node ", lowest);
    } else {
      highest_ = std::max(highest_, infos[n]->checkpoint);
    }
  }
}

Collected Collector::Collect() {
  if (identities_.empty()) RefreshIdentities();
  reborn_.assign(service_.node_count(), false);
  Collected collected = Ask();
  // A node that has gone beyond our number cannot answer it any more; it can answer a higher one.
  // One that was started again, maybe as something else, has to say who it is.
  const bool again =
      std::any_of(collected.nodes.begin(), collected.nodes.end(), [](const NodeRecord& node) {
        return node.answer == NodeAnswer::kPruned || node.answer == NodeAnswer::kUnidentified;
      });
  if (!again) return collected;
  RefreshIdentities();
  return Ask();
}

Collector::Reason Collector::Validate(size_t n, uint64_t number,
                                      const snapshot::Checkpoint& checkpoint) {
  if (n >= identities_.size()) return {"nobody knows it", NodeAnswer::kUnidentified};
  Identity& identity = identities_[n];
  const bool another = checkpoint.life != identity.life && identity.life != 0;
  identity.life = checkpoint.life;
  if (another) reborn_[n] = true;
  if (another || !identity.known) {
    identity.known = false;
    return {"it has not said yet who it is", NodeAnswer::kUnidentified};
  }
  if (!identity.mismatch.empty()) return {identity.mismatch, NodeAnswer::kWrongVersion};
  if (checkpoint.number > number && checkpoint.number - number > kAheadMax) {
    return {
        absl::StrCat("its checkpoint number is ", checkpoint.number, ", asked for was ", number),
        NodeAnswer::kGarbage};
  }
  const absl::Status valid = snapshot::ValidateCheckpoint(
      checkpoint, model::NodeId(static_cast<uint32_t>(n)), number, service_);
  if (!valid.ok()) return {std::string(valid.message()), NodeAnswer::kGarbage};
  const model::NodeState& state = checkpoint.state;
  if (state.status != model::NodeStatus::kFailed && !service_.ValidState(state.body)) {
    return {"its state is not one of this service", NodeAnswer::kGarbage};
  }
  return {};
}

Collected Collector::Ask() {
  Collected collected;
  collected.number = highest_ + 1;
  auto replies = client_.Collect(collected.number, timeout_);
  std::vector<std::shared_ptr<const snapshot::Checkpoint>> checkpoints(replies.size());
  collected.reasons.resize(replies.size());
  for (size_t n = 0; n < replies.size(); ++n) {
    const snapshot::CheckpointReply& reply = replies[n];
    NodeRecord record{.node = static_cast<uint32_t>(n),
                      .answer = AnswerOf(reply.checkpoint.status()),
                      .timing = {.duration = reply.duration},
                      .bytes = reply.bytes,
                      .unchanged = reply.unchanged};
    collected.bytes += reply.bytes;
    if (!reply.checkpoint.ok()) {
      collected.reasons[n] = std::string(reply.checkpoint.status().message());
    } else if (Reason reason = Validate(n, collected.number, **reply.checkpoint);
               !reason.text.empty()) {
      collected.reasons[n] = std::move(reason.text);
      record.answer = reason.answer;
    } else {
      checkpoints[n] = *reply.checkpoint;
      highest_ = std::max(highest_, checkpoints[n]->number);
    }
    collected.nodes.push_back(std::move(record));
  }
  collected.snapshot =
      snapshot::Assemble(service_, collected.number, checkpoints, collected.reasons);
  collected.reborn = reborn_;
  if (collected.snapshot.ok()) NameGaps(collected);
  return collected;
}

}  // namespace foretell::agent
