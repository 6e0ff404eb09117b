#include "foretell/snapshot/rpc/link.h"

#include <capnp/rpc-twoparty.h>
#include <capnp/serialize-async.h>

#include <functional>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {
namespace {

using capnp::rpc::twoparty::Side;
using capnp::rpc::twoparty::VatId;

// Even a short message takes kilobytes while it waits.
constexpr size_t kQueuedMax = 1024;

capnp::ReaderOptions Options(const RpcLimits& limits) {
  capnp::ReaderOptions options;
  // Also the limit on the size of a whole message, before memory for it is allocated.
  options.traversalLimitInWords = limits.message_bytes_max / sizeof(capnp::word);
  options.nestingLimit = static_cast<int>(limits.nesting_max);
  return options;
}

// Messages of a stream, none of which is read before `may_read` says so.
class Messages final : public capnp::MessageStream {
 public:
  Messages(kj::AsyncIoStream& stream, std::function<bool()> may_read)
      : stream_(stream), may_read_(std::move(may_read)) {}

  kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> tryReadMessage(
      kj::ArrayPtr<kj::AutoCloseFd> fds, capnp::ReaderOptions options,
      kj::ArrayPtr<capnp::word> scratch) override {
    if (!may_read_()) return kj::NEVER_DONE;
    return stream_.tryReadMessage(fds, options, scratch);
  }
  kj::Promise<void> writeMessage(
      kj::ArrayPtr<const int> fds,
      kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) override {
    return stream_.writeMessage(fds, segments);
  }
  kj::Promise<void> writeMessages(
      kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) override {
    return stream_.writeMessages(messages);
  }
  kj::Maybe<int> getSendBufferSize() override { return stream_.getSendBufferSize(); }
  kj::Promise<void> end() override { return stream_.end(); }

 private:
  capnp::AsyncIoMessageStream stream_;
  const std::function<bool()> may_read_;
};

class Link : public RpcLink {
 public:
  Link(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits, capnp::Capability::Client root)
      : Link(kj::mv(stream), limits, Side::SERVER) {
    Start(capnp::makeRpcServer(network_, kj::mv(root)));
  }
  Link(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits)
      : Link(kj::mv(stream), limits, Side::CLIENT) {
    Start(capnp::makeRpcClient(network_));
  }

  capnp::Capability::Client Root() override {
    capnp::word scratch[4] = {};
    capnp::MallocMessageBuilder message(scratch);
    auto id = message.getRoot<VatId>();
    id.setSide(Side::SERVER);
    return KJ_ASSERT_NONNULL(system_).bootstrap(id);
  }
  kj::Promise<void> OnDisconnect() override {
    return network_.onDisconnect().exclusiveJoin(kj::mv(given_up_.promise));
  }
  size_t queued() override { return network_.getCurrentQueueSize(); }

 private:
  Link(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits, Side side)
      : limit_(limits.message_bytes_max),
        given_up_(kj::newPromiseAndFulfiller<void>()),
        stream_(kj::mv(stream)),
        messages_(*stream_, [this] { return CheckQueue(); }),
        network_(messages_, side, Options(limits)) {}

  void Start(capnp::RpcSystem<VatId> system) {
    // Calls that wait for their answers hold their messages.
    system.setFlowLimit(2 * limit_ / sizeof(capnp::word));
    system_ = kj::mv(system);
  }
  bool CheckQueue() {
    const size_t count = network_.getCurrentQueueCount();
    if (queued() <= limit_ && count <= kQueuedMax) return true;
    given_up_.fulfiller->reject(LostConnection(
        queued() > limit_ ? UnreadText(queued(), limit_)
                          : absl::StrCat("left ", count, " replies unread, limit ", kQueuedMax)));
    return false;
  }

  const size_t limit_;
  kj::PromiseFulfillerPair<void> given_up_;
  // In this order: each uses those before it until its end.
  kj::Own<kj::AsyncIoStream> stream_;
  Messages messages_;
  capnp::TwoPartyVatNetwork network_;
  kj::Maybe<capnp::RpcSystem<VatId>> system_;
};

}  // namespace

std::string UnreadText(size_t unread, size_t limit) {
  return absl::StrCat("left ", unread, " bytes of replies unread, limit ", limit);
}

kj::Own<RpcLink> RpcLink::Serve(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits,
                                capnp::Capability::Client root) {
  return kj::heap<Link>(kj::mv(stream), limits, kj::mv(root));
}

kj::Own<RpcLink> RpcLink::Use(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits) {
  return kj::heap<Link>(kj::mv(stream), limits);
}

}  // namespace foretell::snapshot
