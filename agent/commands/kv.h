#pragma once

#include <string>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

struct KvArgs {
  std::string nodes;
  std::string verb;
  std::string key;
  std::string value;
  std::string timeout = "5s";
};

int RunKv(const KvArgs& args, Streams& streams);

}  // namespace foretell::agent
