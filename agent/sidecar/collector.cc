#include "agent/sidecar/collector.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

// No honest node gets there in a lifetime; a number beyond it would leave no room for the next.
constexpr uint64_t kNumberMax = uint64_t{1} << 62;

// A few fixed words, for metrics.
std::string StatusWord(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk: return "ok";
    case absl::StatusCode::kUnavailable: return "unavailable";
    case absl::StatusCode::kDeadlineExceeded: return "deadline_exceeded";
    case absl::StatusCode::kNotFound: return "pruned";
    case absl::StatusCode::kResourceExhausted: return "limited";
    case absl::StatusCode::kInvalidArgument: return "garbage";
    case absl::StatusCode::kFailedPrecondition: return "wrong_version";
    default: return "failed";
  }
}

std::string Differs(const char* what, const std::string& theirs, const std::string& ours) {
  return theirs == ours ? "" : absl::StrCat("its ", what, " is '", theirs, "', ours '", ours, "'");
}

}  // namespace

std::string Collector::Stranger(const snapshot::NodeInfo& info) const {
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
  strangers_.assign(infos.size(), "");
  for (size_t n = 0; n < infos.size(); ++n) {
    if (!infos[n].ok()) continue;  // Collecting will say why.
    strangers_[n] = Stranger(*infos[n]);
    if (infos[n]->checkpoint < kNumberMax) highest_ = std::max(highest_, infos[n]->checkpoint);
  }
}

Collected Collector::Collect() {
  if (strangers_.empty()) RefreshIdentities();
  Collected collected = Ask();
  // A node that has gone beyond our number cannot answer it any more; it can answer a higher one.
  const bool pruned = std::any_of(collected.nodes.begin(), collected.nodes.end(),
                                  [](const NodeRecord& node) { return node.status == "pruned"; });
  if (!pruned) return collected;
  RefreshIdentities();
  return Ask();
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
                      .status = StatusWord(reply.checkpoint.status()),
                      .timing = {.duration = reply.duration},
                      .bytes = reply.bytes,
                      .unchanged = reply.unchanged};
    collected.bytes += reply.bytes;
    if (!reply.checkpoint.ok()) {
      collected.reasons[n] = std::string(reply.checkpoint.status().message());
    } else if (n < strangers_.size() && !strangers_[n].empty()) {
      collected.reasons[n] = strangers_[n];
      record.status = "wrong_version";
    } else if ((*reply.checkpoint)->number >= kNumberMax) {
      collected.reasons[n] = absl::StrCat("its checkpoint number is ", (*reply.checkpoint)->number,
                                          ", the most is ", kNumberMax);
      record.status = "garbage";
    } else {
      checkpoints[n] = *reply.checkpoint;
      highest_ = std::max(highest_, checkpoints[n]->number);
    }
    collected.nodes.push_back(std::move(record));
  }
  collected.snapshot =
      snapshot::Assemble(service_, collected.number, checkpoints, collected.reasons);
  return collected;
}

}  // namespace foretell::agent
