#include "foretell/agent/demo/workload.h"

namespace foretell::agent {

Workload::Call Workload::Next(Cluster& cluster) {
  Call call;
  call.node = random_() % cluster.size();
  const auto range = static_cast<uint64_t>((options_.pause_max - options_.pause_min).count()) + 1;
  pause_ = options_.pause_min + std::chrono::milliseconds(random_() % range);
  ++calls_;
  const auto answer = cluster.Ask(call.node, "call " + options_.call);
  call.answer = answer.ok() ? *answer : "error " + std::string(answer.status().message());
  return call;
}

}  // namespace foretell::agent
