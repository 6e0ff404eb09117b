#pragma once

// Only .cc files of this folder may include this: it brings in the generated header.

#include <memory>

#include "foretell.capnp.h"
#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/rpc/loop.h"

namespace foretell::snapshot {

// Carries what a node asks of an agent that guards it from the node's thread to the loop's, and the
// answers back. Belongs to the loop's thread, but for its channel.
class GuardCourier final : public std::enable_shared_from_this<GuardCourier>,
                           private kj::TaskSet::ErrorHandler {
 public:
  GuardCourier(std::shared_ptr<Mailbox> mailbox, NodeEndpoint& endpoint, uint64_t session,
               wire::Guardian::Client guardian);

  // For the endpoint. What cannot be handed over is not answered, and so ends with its hold.
  GuardChannel Channel();
  // Nothing is asked and answered any more.
  void Close();

 private:
  void Ask(const GuardStep& step);
  void taskFailed(kj::Exception&& exception) override;

  const std::shared_ptr<Mailbox> mailbox_;
  NodeEndpoint& endpoint_;
  const uint64_t session_;
  kj::Maybe<wire::Guardian::Client> guardian_;
  kj::Own<kj::TaskSet> tasks_;
};

}  // namespace foretell::snapshot
