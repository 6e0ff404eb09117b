#include "foretell/model/foreign/service/sampler.h"

#include <utility>

#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/foreign/wire/values.h"
#include "foretell/model/hash.h"

namespace foretell::model::foreign {
namespace {

// All of a small service, and a sample of a large one.
constexpr uint64_t kAll = 512;
constexpr uint64_t kStride = 64;
constexpr size_t kKnownMax = 1 << 16;
constexpr size_t kBatch = 64;

}  // namespace

Sampler::Sampler(Carrier& elsewhere, uint32_t system, std::string open)
    : elsewhere_(elsewhere), system_(system), open_(std::move(open)) {}

Sampler::~Sampler() {
  const MutexLock lock(mutex_);
  if (opened_) elsewhere_.Close(system_);
}

std::optional<Sampler::Run> Sampler::Add(NodeId node, const Event& event, std::string_view request,
                                         std::string_view reply) {
  const MutexLock lock(mutex_);
  if (++runs_ > kAll && runs_ % kStride != 0) return std::nullopt;
  const bool again = !known_.insert(HashBytes(request)).second;
  if (!again) waiting_.push_back({node, event, std::string(request), std::string(reply)});
  if (known_.size() > kKnownMax) known_.clear();
  if (waiting_.empty() || (!again && waiting_.size() < kBatch)) return std::nullopt;
  return Compare(std::exchange(waiting_, {}));
}

std::optional<Sampler::Run> Sampler::Compare(const std::vector<Run>& runs) {
  const std::vector<std::string> again = Repeat(runs);
  for (size_t i = 0; i < again.size(); ++i) {
    if (again[i] != runs[i].reply) return runs[i];
  }
  return std::nullopt;
}

std::vector<std::string> Sampler::Repeat(const std::vector<Run>& runs) {
  std::string reply;
  if (!opened_ && !elsewhere_.Open(system_, open_, reply).ok()) return {};
  opened_ = true;
  Writer request;
  request.List(runs, [&](const Run& run) { request.Blob(run.request); });
  if (!elsewhere_.Call(FORETELL_RUN_MANY, request.bytes(), reply).ok()) {
    return RepeatOneByOne(runs);
  }
  Reader in(reply);
  std::vector<std::string> replies = ReadBlobs(in, "replies");
  in.End();
  return in.ok() && replies.size() == runs.size() ? replies : std::vector<std::string>();
}

// For a service that does not know batches, and for a batch that one of its requests ended.
std::vector<std::string> Sampler::RepeatOneByOne(const std::vector<Run>& runs) {
  std::vector<std::string> replies;
  for (const Run& run : runs) {
    std::string reply;
    const bool answered = elsewhere_.Call(FORETELL_RUN, run.request, reply).ok();
    replies.push_back(answered ? std::move(reply) : run.reply);
  }
  return replies;
}

}  // namespace foretell::model::foreign
