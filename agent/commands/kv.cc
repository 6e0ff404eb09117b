#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/demo/kv_client.h"
#include "foretell/agent/demo/node_client.h"

namespace foretell::agent {
namespace {

struct KvArgs {
  std::string nodes;
  std::string verb;
  std::string key;
  std::string value;
  std::string timeout = "5s";
};

absl::StatusOr<std::vector<ClientAddress>> ParseNodes(const std::string& text) {
  std::vector<ClientAddress> nodes;
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(text, ','))) {
    auto node = ParseClientAddress(part);
    if (!node.ok()) return node.status();
    nodes.push_back(*std::move(node));
  }
  return nodes;
}

// Why there is no leader: what the nodes say, or that none of them does.
absl::Status NoLeader(const KvClient& client, size_t nodes) {
  std::string text = "no node leads:";
  for (size_t n = 0; n < nodes; ++n) {
    const auto role = client.RoleOf(n);
    absl::StrAppend(&text, n == 0 ? " " : "; ",
                    role.ok()
                        ? absl::StrCat("node ", n, " is a ", role->name, " in term ", role->term)
                        : std::string(role.status().message()));
  }
  return absl::UnavailableError(text);
}

absl::StatusOr<int> Get(const KvClient& client, const KvArgs& args, size_t leader,
                        Console& console) {
  const auto value = client.Get(leader, args.key);
  if (!value.ok()) return value.status();
  if (!*value) {
    console.err << "no value for " << args.key << "\n";
    return kExitViolation;
  }
  console.out << **value << "\n";
  return kExitNothing;
}

absl::StatusOr<int> Run(const KvArgs& args, Console& console) {
  const auto nodes = ParseNodes(args.nodes);
  if (!nodes.ok()) return nodes.status();
  const auto timeout = ParseDuration(args.timeout);
  if (!timeout.ok()) return timeout.status();
  const KvClient client(nodes->size(), [&nodes](size_t node, const std::string& line) {
    return AskNode((*nodes)[node], line);
  });
  const bool get = args.verb == "get" && args.value.empty();
  if (!get && (args.verb != "put" || args.value.empty())) {
    return absl::InvalidArgumentError("write `put KEY VALUE` or `get KEY`");
  }
  for (const std::string& word : {args.key, args.value}) {
    if (word.find_first_of(" \t\r\n,") == std::string::npos) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("'", word, "' is not one word: no spaces, no commas"));
  }
  const auto leader = client.WaitForLeader(0, *timeout);
  if (!leader) return NoLeader(client, nodes->size());
  if (get) return Get(client, args, *leader, console);
  const absl::Status status = client.Put(args.key, args.value, *timeout);
  if (!status.ok()) return status;
  console.out << "acknowledged\n";
  return kExitNothing;
}

int RunKv(const KvArgs& args, Console& console) {
  const auto code = Run(args, console);
  return code.ok() ? *code : Fail(console, code.status());
}

}  // namespace

Command AddKv(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("kv", "Put and get at a cluster of `foretell node --service raft`");
  app->footer(
      "A put is acknowledged when the leader has committed and applied it. A get reads what the\n"
      "leader has applied.\n\n"
      "Exit code: 0 done, 1 no such key, 2 not done (for a put: it may still come to count).\n\n"
      "Example:\n"
      "  foretell kv --nodes 127.0.0.1:7101,127.0.0.1:7102,127.0.0.1:7103 put colour blue");
  auto args = std::make_shared<KvArgs>();
  app->add_option("--nodes", args->nodes, "The client ports of the nodes (--client)")
      ->required()
      ->type_name("HOST:PORT,...");
  app->add_option("--timeout", args->timeout, "How long to wait for a leader, and for it")
      ->type_name("TIME")
      ->capture_default_str();
  app->add_option("VERB", args->verb, "put or get")->required()->type_name("");
  app->add_option("KEY", args->key, "One word")->required()->type_name("");
  app->add_option("VALUE", args->value, "One word, for put")->type_name("");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Console& console) { return RunKv(*args, console); }};
}

}  // namespace foretell::agent
