#pragma once

// Only .cc files of this folder may include this: it brings in the generated header.

#include <atomic>
#include <map>
#include <memory>

#include "foretell.capnp.h"
#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/rpc/loop.h"

namespace foretell::snapshot {

// Tells all agents that listen when the endpoint says that something interesting happened. Hints
// are merged, on the way to the loop and on the way to each agent: there is never more than one
// under way, and never none after the last change. Belongs to the loop's thread.
class HintHub final : private kj::TaskSet::ErrorHandler {
 public:
  HintHub(std::shared_ptr<Mailbox> mailbox, NodeEndpoint& endpoint);
  // Nobody listens any more.
  ~HintHub() noexcept(false);

  // Replaces the one that `who` gave before.
  void Add(const void* who, wire::Listener::Client listener);
  void Remove(const void* who);

 private:
  struct Route;
  struct Ear {
    wire::Listener::Client listener;
    bool telling = false;
    bool again = false;
  };

  void TellAll();
  void Tell(const void* who);
  void Told(const void* who, bool heard);
  void taskFailed(kj::Exception&& exception) override;

  NodeEndpoint& endpoint_;
  const std::shared_ptr<Route> route_;
  std::map<const void*, Ear> ears_;
  kj::TaskSet tasks_;
};

}  // namespace foretell::snapshot
