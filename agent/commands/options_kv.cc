#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/kv.h"

namespace foretell::agent {

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
          [args](const Parts&, Streams& streams) { return RunKv(*args, streams); }};
}

}  // namespace foretell::agent
