#include "agent/command_kv.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/demo/kv_client.h"
#include "agent/demo/node_line.h"
#include "agent/quantities.h"

namespace foretell::agent {
namespace {

absl::StatusOr<std::vector<ClientAddress>> ParseNodes(const std::string& text) {
  std::vector<ClientAddress> nodes;
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(text, ','))) {
    auto node = ParseClientAddress(part);
    if (!node.ok()) return node.status();
    nodes.push_back(*std::move(node));
  }
  return nodes;
}

absl::StatusOr<int> Get(const KvClient& client, const KvArgs& args,
                        std::chrono::milliseconds timeout, Streams& streams) {
  const auto leader = client.WaitForLeader(0, timeout);
  if (!leader) return absl::UnavailableError("no node leads");
  const auto value = client.Get(*leader, args.key);
  if (!value.ok()) return value.status();
  if (!*value) {
    streams.err << "no value for " << args.key << "\n";
    return kExitViolation;
  }
  streams.out << **value << "\n";
  return kExitNothing;
}

absl::StatusOr<int> Run(const KvArgs& args, Streams& streams) {
  const auto nodes = ParseNodes(args.nodes);
  if (!nodes.ok()) return nodes.status();
  const auto timeout = ParseDuration(args.timeout);
  if (!timeout.ok()) return timeout.status();
  const KvClient client(nodes->size(), [&nodes](size_t node, const std::string& line) {
    return AskNode((*nodes)[node], line);
  });
  if (args.verb == "get" && args.value.empty()) return Get(client, args, *timeout, streams);
  if (args.verb != "put" || args.value.empty()) {
    return absl::InvalidArgumentError("write `put KEY VALUE` or `get KEY`");
  }
  const absl::Status status = client.Put(args.key, args.value, *timeout);
  if (!status.ok()) return status;
  streams.out << "acknowledged\n";
  return kExitNothing;
}

}  // namespace

int RunKv(const KvArgs& args, Streams& streams) {
  const auto code = Run(args, streams);
  return code.ok() ? *code : Fail(streams, code.status());
}

}  // namespace foretell::agent
