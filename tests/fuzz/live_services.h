#pragma once

// The built-in services that run live, made once, with messages, actions and states that they make
// themselves.

#include <string>
#include <vector>

#include "foretell/model/family.h"

namespace foretell::fuzz {

struct LiveService {
  std::string name;
  std::string scenario;
  model::System system;
  // Of a few steps of everybody.
  std::vector<std::string> messages;
  std::vector<std::string> actions;
  std::vector<std::string> states;
  std::vector<std::string> calls;  // As people write them.
};

const std::vector<LiveService>& LiveServices();
// One of them.
const LiveService& PickLive(size_t number);

}  // namespace foretell::fuzz
