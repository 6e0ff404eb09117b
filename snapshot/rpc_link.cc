#include "snapshot/rpc_link.h"

#include <capnp/rpc-twoparty.h>

namespace foretell::snapshot {
namespace {

using capnp::rpc::twoparty::Side;
using capnp::rpc::twoparty::VatId;

capnp::ReaderOptions Options(const RpcLimits& limits) {
  capnp::ReaderOptions options;
  // Also the limit on the size of a whole message, before memory for it is allocated.
  options.traversalLimitInWords = limits.message_bytes_max / sizeof(capnp::word);
  options.nestingLimit = static_cast<int>(limits.nesting_max);
  return options;
}

class Link : public RpcLink {
 public:
  Link(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits, capnp::Capability::Client root)
      : stream_(kj::mv(stream)),
        network_(*stream_, Side::SERVER, Options(limits)),
        system_(capnp::makeRpcServer(network_, kj::mv(root))) {}
  Link(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits)
      : stream_(kj::mv(stream)),
        network_(*stream_, Side::CLIENT, Options(limits)),
        system_(capnp::makeRpcClient(network_)) {}

  capnp::Capability::Client Root() override {
    capnp::word scratch[4] = {};
    capnp::MallocMessageBuilder message(scratch);
    auto id = message.getRoot<VatId>();
    id.setSide(Side::SERVER);
    return system_.bootstrap(id);
  }
  kj::Promise<void> OnDisconnect() override { return network_.onDisconnect(); }
  size_t queued() override { return network_.getCurrentQueueSize(); }

 private:
  // In this order: each uses those before it until its end.
  kj::Own<kj::AsyncIoStream> stream_;
  capnp::TwoPartyVatNetwork network_;
  capnp::RpcSystem<VatId> system_;
};

}  // namespace

kj::Own<RpcLink> RpcLink::Serve(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits,
                                capnp::Capability::Client root) {
  return kj::heap<Link>(kj::mv(stream), limits, kj::mv(root));
}

kj::Own<RpcLink> RpcLink::Use(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits) {
  return kj::heap<Link>(kj::mv(stream), limits);
}

}  // namespace foretell::snapshot
