#pragma once

#include <string>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell node`, as the user typed it; empty means not given.
struct NodeArgs {
  std::string service;
  std::string scenario;  // Default: the one in which the service runs live.
  std::string bug;
  std::string cluster;
  std::string id;
  std::string peers;
  std::string listen;  // Default: this node's address among `peers`, else 127.0.0.1:0.
  std::string client;
  std::string agent;
  std::string agent_bandwidth;  // Bytes a second; default: no limit.
  std::string tls_cert;
  std::string tls_key;
  std::string tls_ca;
  std::string store;
  std::string loss;
  std::string delay;
  std::string duplicate;
  std::string reorder;
  std::string partition;
  std::string seed;
  std::string ready_file;
  bool no_checkpoints = false;
  bool stepped = false;
};

// Runs one live node until SIGTERM or SIGINT. Once it listens, writes one line of JSON that says
// where, to `streams.out` or the ready file. Returns 0 after a clean stop, 1 if the node failed.
int RunNode(const NodeArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
