#include "foretell/agent/demo/kv_client.h"

#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::agent {
namespace {

using Clock = std::chrono::steady_clock;

// Between two looks at a node that has not got there yet.
constexpr std::chrono::milliseconds kPause{5};

// Whether `holds` came true in time.
template <class Holds>
bool WaitUntil(Holds holds, std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (!holds()) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace

absl::StatusOr<KvClient::Role> KvClient::RoleOf(size_t node) const {
  const auto answer = ask_(node, "ask role");
  if (!answer.ok()) return answer.status();
  const std::vector<std::string> words = absl::StrSplit(*answer, ' ');
  Role role;
  if (words.size() == 10 && words[0] == "ok" && absl::SimpleAtoi(words[3], &role.term) &&
      absl::SimpleAtoi(words[5], &role.log) && absl::SimpleAtoi(words[7], &role.committed) &&
      absl::SimpleAtoi(words[9], &role.applied)) {
    role.name = words[1];
    return role;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("node ", node, " is no node of a key-value store: ", *answer));
}

std::optional<size_t> KvClient::Leader() const {
  std::optional<size_t> leader;
  uint64_t term = 0;
  for (size_t n = 0; n < node_count_; ++n) {
    const auto role = RoleOf(n);
    if (!role.ok() || role->name != "leader" || role->term <= term) continue;
    leader = n;
    term = role->term;
  }
  return leader;
}

std::optional<size_t> KvClient::WaitForLeader(uint64_t term,
                                              std::chrono::milliseconds timeout) const {
  std::optional<size_t> leader;
  WaitUntil(
      [&] {
        leader = Leader();
        const auto role = leader ? RoleOf(*leader) : absl::StatusOr<Role>(Role{});
        if (!role.ok() || role->term <= term) leader.reset();
        return leader.has_value();
      },
      timeout);
  return leader;
}

absl::Status KvClient::Propose(size_t node, const std::string& key,
                               const std::string& value) const {
  const auto answer = ask_(node, absl::StrCat("call Put(key=", key, ", value=", value, ")"));
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("node ", node, ": ", *answer));
}

bool KvClient::WaitAcknowledged(size_t node, const std::string& key, const std::string& value,
                                std::chrono::milliseconds timeout) const {
  bool acknowledged = false;
  WaitUntil(
      [&] {
        const auto held = Get(node, key);
        acknowledged = held.ok() && *held == value;
        if (acknowledged) return true;
        const auto role = RoleOf(node);
        return !role.ok() || role->name != "leader";
      },
      timeout);
  return acknowledged;
}

absl::Status KvClient::Put(const std::string& key, const std::string& value,
                           std::chrono::milliseconds timeout) const {
  const std::optional<size_t> leader = WaitForLeader(0, timeout);
  if (!leader) return absl::UnavailableError("no node leads");
  if (absl::Status status = Propose(*leader, key, value); !status.ok()) return status;
  if (WaitAcknowledged(*leader, key, value, timeout)) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat(
      "node ", *leader, " took the put and has not committed it; it may still come to count"));
}

absl::StatusOr<std::optional<std::string>> KvClient::Get(size_t node,
                                                         const std::string& key) const {
  const auto answer = ask_(node, "ask get " + key);
  if (!answer.ok()) return answer.status();
  if (*answer == "ok nothing") return std::optional<std::string>();
  const std::vector<std::string> words = absl::StrSplit(*answer, ' ');
  if (words.size() == 5 && words[1] == "value") return std::optional(words[2]);
  return absl::FailedPreconditionError(absl::StrCat("node ", node, ": ", *answer));
}

}  // namespace foretell::agent
