#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/event.h"
#include "foretell/model/process/protocol.h"

namespace foretell::search {

// How a step of a process comes about in the service.
enum class Via : uint8_t {
  kServed,    // Its request is served; `choice` says which way, if there are several.
  kAnswered,  // It waits and is answered; `choice` as in Protocol::Answer.
  kExpired,   // It gives up waiting.
};

// One execution of a program as the service has it: events instead of atomic steps. Whatever needs
// no decision happens at once: processes begin, answers arrive, who waits is taken note of.
class ServiceWalk {
 public:
  // REQUIRES: the service is a program, and `cut` is valid for it.
  ServiceWalk(model::TransitionTable& table, const model::SystemCut& cut);

  // REQUIRES: the step is possible.
  void Take(uint32_t process, Via via, uint32_t choice);

  model::NodeState StateOf(uint32_t node) const {
    return table_.StateOf(model::NodeId(node), model::StateId(states_[node]));
  }
  // What the process is about to ask for has reached the mailboxes, or is on its way there.
  bool asked(uint32_t process) const { return asked_[process]; }
  const model::Path& path() const { return path_; }

 private:
  void Settle(const model::SystemCut& cut);
  void Happen(model::NodeId node, model::EventId event, const model::Step& step);
  void HappenOnly(model::NodeId node, model::EventId event);
  bool Waiting(uint32_t process) const;
  model::process::Request RequestOf(uint32_t process) const;
  model::EventId Serve(uint32_t process, const model::process::Request& request);
  model::EventId Answer(const model::process::Protocol::Action& action);
  void Register(uint32_t process);

  model::TransitionTable& table_;
  const uint32_t processes_;
  const model::NodeId office_;
  std::vector<uint32_t> states_;  // By node.
  std::vector<bool> asked_;
  model::Path path_;
};

}  // namespace foretell::search
