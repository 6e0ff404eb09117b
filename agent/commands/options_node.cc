#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/node.h"

namespace foretell::agent {
namespace {

void AddNodeAddresses(CLI::App& app, NodeArgs& args) {
  app.add_option("--peers", args.peers,
                 "Addresses of all nodes by id: 127.0.0.1:7000,127.0.0.1:7001,...\n"
                 "If not given, they come later with the command `peers` of the client port")
      ->type_name("LIST");
  app.add_option("--listen", args.listen,
                 "Listen for peers here; default: this node's address among --peers,\n"
                 "else a free port of 127.0.0.1")
      ->type_name("HOST:PORT");
  app.add_option("--client", args.client, "Take commands of clients here; port 0: a free one")
      ->type_name("HOST:PORT");
  app.add_option("--agent", args.agent, "Listen for agents here: unix:PATH or tcp:HOST:PORT")
      ->type_name("ADDRESS");
  app.add_option("--tls-cert", args.tls_cert, "Certificate of this node, for tcp agents")
      ->type_name("FILE");
  app.add_option("--tls-key", args.tls_key, "Its private key")->type_name("FILE");
  app.add_option("--tls-ca", args.tls_ca, "Who signs the certificates of agents")
      ->type_name("FILE");
  app.add_option("--ready-file", args.ready_file,
                 "Write where the node listens to FILE instead of standard output")
      ->type_name("FILE");
}

void AddNodeFaults(CLI::App& app, NodeArgs& args) {
  app.add_option("--loss", args.loss, "Lose sent messages with this probability")->type_name("P");
  app.add_option("--delay", args.delay, "Delay them: 5ms or 1ms..5ms")->type_name("TIME");
  app.add_option("--duplicate", args.duplicate, "Send them twice with this probability")
      ->type_name("P");
  app.add_option("--reorder", args.reorder, "Hold them back with this probability")->type_name("P");
  app.add_option("--partition", args.partition, "Cut these nodes off: 0,2")->type_name("LIST");
  app.add_option("--seed", args.seed, "Decides faults, choices and jitter; default 1")
      ->type_name("N");
}

}  // namespace

Command AddNode(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand("node", "Run one live node of a service");
  app->footer(
      "Once it listens, the node prints one line of JSON that says where. SIGTERM stops it.\n"
      "Exit code: 0 stopped, 1 a handler or the store failed, 2 bad usage or input.\n\n"
      "Example:\n"
      "  foretell node --service paxos --id 0 --client 127.0.0.1:8000 \\\n"
      "      --peers 127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002");
  auto args = std::make_shared<NodeArgs>();
  app->add_option("--service", args->service, "One of `foretell services`")
      ->required()
      ->type_name("NAME");
  app->add_option("--id", args->id, "Which node this is, from 0")->required()->type_name("N");
  app->add_option("--scenario", args->scenario, "Where to start; default: the live scenario")
      ->type_name("NAME");
  app->add_option("--bug", args->bug, "Plant this bug")->type_name("NAME");
  app->add_option("--cluster", args->cluster, "Only nodes with the same name talk to each other")
      ->type_name("NAME");
  AddNodeAddresses(*app, *args);
  app->add_option("--agent-bandwidth", args->agent_bandwidth,
                  "Send agents at most this much in a second: 4MiB; default: no limit")
      ->type_name("SIZE");
  app->add_option("--store", args->store, "Keep what survives a crash in this directory")
      ->type_name("DIR");
  AddNodeFaults(*app, *args);
  app->add_flag("--no-checkpoints", args->no_checkpoints,
                "Take no checkpoints: agents see nothing; to measure what they cost");
  app->add_flag("--stepped", args->stepped,
                "Time passes only by the command `clock MICROS` of the client port, so that a run\n"
                "does not depend on how fast the machine is");
  return {app, AddPluginOption(*app),
          [args](const Parts& parts, Streams& streams) { return RunNode(*args, parts, streams); }};
}

}  // namespace foretell::agent
