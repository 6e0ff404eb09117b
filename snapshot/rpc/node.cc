#include "foretell/snapshot/rpc/node.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/guard_courier.h"
#include "foretell/snapshot/rpc/link.h"
#include "foretell/snapshot/rpc/pack.h"
#include "foretell/snapshot/rpc/status.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {
namespace {

// Calls of one connection that the endpoint has not answered. An agent has at most one of each
// kind under way; what it gave up waiting for is cancelled.
constexpr size_t kPendingMax = 64;

class NodeServer final : public wire::Node::Server {
 public:
  NodeServer(NodeService& service, RpcConnection& connection)
      : service_(service),
        session_(std::make_shared<Session>(Session{&connection, ++service.sessions, nullptr})),
        packer_(service.limits.message_bytes_max) {
    // The filters of an agent that is gone end with their leases; only its listener goes now.
    connection.OnEnd([&service, session = session_] {
      session->connection = nullptr;
      service.hints.Remove(session.get());
      if (session->guard != nullptr) session->guard->Close();
      service.endpoint.EndSession(session->number);
    });
  }

  kj::Promise<void> hello(HelloContext context) override;
  kj::Promise<void> checkpoint(CheckpointContext context) override;
  kj::Promise<void> setFilters(SetFiltersContext context) override;
  kj::Promise<void> setSafetyCut(SetSafetyCutContext context) override;
  kj::Promise<void> counters(CountersContext context) override;
  kj::Promise<void> listen(ListenContext context) override;
  kj::Promise<void> guard(GuardContext context) override;
  kj::Promise<void> introduce(IntroduceContext context) override;
  kj::Promise<void> adopt(AdoptContext context) override;

 private:
  struct Session {
    RpcConnection* connection;  // Null when it has ended.
    uint64_t number = 0;        // Of all sessions of the server.
    std::shared_ptr<GuardCourier> guard;
  };
  using CheckpointResult = absl::StatusOr<std::shared_ptr<const Checkpoint>>;

  // Whether a call may go on to the endpoint.
  absl::Status Admit();
  // Ends the connection of a peer that asks but does not read, before it costs too much memory.
  absl::Status CheckQueue();
  // Counts a reply that the queue may not have yet.
  void NoteReply(size_t bytes);
  // Counts the call until the promise is kept or dropped.
  template <class T>
  kj::Promise<T> Pending(kj::Promise<T> promise) {
    ++pending_;
    return promise.attach(kj::defer([this] { --pending_; }));
  }
  // Hands a request over whose only answer is a Status.
  kj::Promise<void> Forward(const std::function<void(std::function<void(absl::Status)>)>& request);
  absl::Status Reply(const CheckpointResult& result, uint64_t have,
                     wire::Node::CheckpointResults::Builder reply);

  NodeService& service_;
  const std::shared_ptr<Session> session_;
  CheckpointPacker packer_;
  bool greeted_ = false;
  size_t pending_ = 0;
  // What was queued when the loop was last idle, and replies since then, in bytes; 0 if there were
  // none.
  size_t unsent_ = 0;
  kj::Promise<void> settled_ = kj::READY_NOW;
};

// What a peer says of itself is not repeated to it at any length.
std::string Short(capnp::Text::Reader text) {
  constexpr size_t kShown = 80;
  return std::string(text.cStr(), std::min(text.size(), kShown));
}

void Refuse(wire::Refusal refusal, const std::string& reason,
            wire::Node::CheckpointResults::Builder reply) {
  reply.setRefusal(refusal);
  reply.setReason(reason.c_str());
}

template <class To>
void PutFilters(const std::vector<Filter>& from, To to) {
  auto list = to.initFilters(static_cast<unsigned>(from.size()));
  for (unsigned f = 0; f < list.size(); ++f) Put(from[f], list[f]);
}

kj::Promise<void> Result(const absl::Status& status) {
  if (!status.ok()) return ToException(status);
  return kj::READY_NOW;
}

// Calls that had been read already may come after their connection has ended.
absl::Status Ended() { return absl::UnavailableError("the connection has ended"); }

absl::Status NodeServer::Admit() {
  if (session_->connection == nullptr) return Ended();
  if (!greeted_) return absl::FailedPreconditionError("hello comes first");
  if (pending_ >= kPendingMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat(pending_, " calls wait for an answer, limit ", kPendingMax));
  }
  return CheckQueue();
}

absl::Status NodeServer::CheckQueue() {
  if (session_->connection == nullptr) return absl::OkStatus();
  const size_t unread = std::max(session_->connection->queued(), unsent_);
  const size_t limit = service_.limits.message_bytes_max;
  if (unread <= limit) return absl::OkStatus();
  const std::string why = UnreadText(unread, limit);
  session_->connection->Close(why);
  return absl::ResourceExhaustedError(why);
}

// kj queues replies only after everything else that is ready, which may be as many calls as there
// can be.
void NodeServer::NoteReply(size_t bytes) {
  if (unsent_ == 0) {
    settled_ = kj::evalLast([this] { unsent_ = 0; }).eagerlyEvaluate(nullptr);
    if (session_->connection != nullptr) unsent_ = session_->connection->queued();
  }
  unsent_ += bytes;
}

kj::Promise<void> NodeServer::hello(HelloContext context) {
  if (session_->connection == nullptr) return ToException(Ended());
  const auto params = context.getParams();
  const NodeInfo info = service_.endpoint.Info();
  if (params.getProtocol() != kProtocolVersion) {
    return ToException(absl::FailedPreconditionError(
        absl::StrCat("agent ", Short(params.getAgent()), " speaks protocol ", params.getProtocol(),
                     ", node ", info.node.value(), " speaks protocol ", kProtocolVersion)));
  }
  greeted_ = true;
  session_->connection->Greeted();
  Put(info, context.getResults().initInfo());
  return kj::READY_NOW;
}

kj::Promise<void> NodeServer::checkpoint(CheckpointContext context) {
  const absl::Status admitted = Admit();
  if (!admitted.ok()) return ToException(admitted);
  // Otherwise a call that its agent has given up would stay for as long as the endpoint is silent.
  context.allowCancellation();
  if (service_.bandwidth.Empty(service_.loop.Now())) {
    Refuse(wire::Refusal::BANDWIDTH,
           absl::StrCat("limit of ", service_.limits.reply_bytes_per_second, " bytes per second"),
           context.getResults());
    return kj::READY_NOW;
  }
  auto handover = MakeHandover<CheckpointResult>(service_.loop.mailbox());
  service_.endpoint.RequestCheckpoint(context.getParams().getNumber(), kj::mv(handover.answer));
  return Pending(kj::mv(handover.promise))
      .catch_([](kj::Exception&&) -> CheckpointResult {
        return absl::UnavailableError("the node is shutting down");
      })
      .then([this, context](CheckpointResult result) mutable {
        const uint64_t have = context.getParams().getHave();
        return Result(Reply(result, have, context.getResults()));
      });
}

absl::Status NodeServer::Reply(const CheckpointResult& result, uint64_t have,
                               wire::Node::CheckpointResults::Builder reply) {
  const std::string reason(result.status().message());
  switch (result.status().code()) {
    case absl::StatusCode::kOk: break;
    case absl::StatusCode::kNotFound:
      Refuse(wire::Refusal::PRUNED, reason, reply);
      return absl::OkStatus();
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
      Refuse(wire::Refusal::SHUTTING_DOWN, reason, reply);
      return absl::OkStatus();
    default: return result.status();
  }
  if (*result == nullptr) return absl::InternalError("the node gave no checkpoint");
  const absl::Status room = CheckQueue();
  if (!room.ok()) return room;
  const absl::StatusOr<PackedCheckpoint> packed = packer_.Pack(**result, have);
  if (!packed.ok()) return packed.status();
  service_.bandwidth.Take(packed->bytes.size(), service_.loop.Now());
  Put(*packed, reply.initCheckpoint());
  NoteReply(packed->bytes.size());
  return absl::OkStatus();
}

kj::Promise<void> NodeServer::Forward(
    const std::function<void(std::function<void(absl::Status)>)>& request) {
  auto handover = MakeHandover<absl::Status>(service_.loop.mailbox());
  request(kj::mv(handover.answer));
  return Pending(kj::mv(handover.promise))
      .catch_([](kj::Exception&&) { return absl::UnavailableError("the node is shutting down"); })
      .then([](absl::Status status) { return Result(status); });
}

kj::Promise<void> NodeServer::setFilters(SetFiltersContext context) {
  absl::Status status = Admit();
  std::vector<Filter> filters;
  if (status.ok()) status = Get(context.getParams().getFilters(), filters);
  if (!status.ok()) return ToException(status);
  context.allowCancellation();
  context.releaseParams();
  return Forward([&](std::function<void(absl::Status)> done) {
    service_.endpoint.SetFilters(session_->number, std::move(filters), std::move(done));
  });
}

kj::Promise<void> NodeServer::setSafetyCut(SetSafetyCutContext context) {
  absl::Status status = Admit();
  SafetyCut cut;
  if (status.ok()) status = Get(context.getParams().getCut(), cut);
  if (!status.ok()) return ToException(status);
  context.allowCancellation();
  context.releaseParams();
  return Forward([&](std::function<void(absl::Status)> done) {
    service_.endpoint.SetSafetyCut(session_->number, std::move(cut), std::move(done));
  });
}

kj::Promise<void> NodeServer::counters(CountersContext context) {
  const absl::Status admitted = Admit();
  if (!admitted.ok()) return ToException(admitted);
  context.allowCancellation();
  auto handover = MakeHandover<NodeCounters>(service_.loop.mailbox());
  service_.endpoint.Counters(kj::mv(handover.answer));
  return Pending(kj::mv(handover.promise)).then([context](const NodeCounters& counters) mutable {
    Put(counters, context.getResults().initCounters());
  });
}

kj::Promise<void> NodeServer::listen(ListenContext context) {
  const absl::Status admitted = Admit();
  if (!admitted.ok()) return ToException(admitted);
  service_.hints.Add(session_.get(), context.getParams().getListener());
  return kj::READY_NOW;
}

kj::Promise<void> NodeServer::guard(GuardContext context) {
  absl::Status status = Admit();
  GuardTerms terms;
  if (status.ok()) status = Get(context.getParams().getTerms(), terms);
  if (!status.ok()) return ToException(status);
  if (session_->guard != nullptr) session_->guard->Close();
  session_->guard =
      std::make_shared<GuardCourier>(service_.loop.mailbox(), service_.endpoint, session_->number,
                                     context.getParams().getGuardian());
  context.releaseParams();
  using Joined = absl::StatusOr<GuardJoined>;
  auto handover = MakeHandover<Joined>(service_.loop.mailbox());
  service_.endpoint.Guard(session_->number, std::move(terms), session_->guard->Channel(),
                          kj::mv(handover.answer));
  return Pending(kj::mv(handover.promise)).then([context](const Joined& joined) mutable {
    if (joined.ok()) Put(*joined, context.getResults().initJoined());
    return Result(joined.status());
  });
}

kj::Promise<void> NodeServer::introduce(IntroduceContext context) {
  absl::Status status = Admit();
  AgentIdentity agent;
  if (status.ok()) status = Get(context.getParams().getAgent(), agent);
  if (!status.ok()) return ToException(status);
  context.allowCancellation();
  context.releaseParams();
  return Forward([&](std::function<void(absl::Status)> done) {
    service_.endpoint.Introduce(session_->number, std::move(agent), std::move(done));
  });
}

kj::Promise<void> NodeServer::adopt(AdoptContext context) {
  absl::Status status = Admit();
  const auto life = context.getParams().getLife();
  if (status.ok() && life.size() > kAgentNameMax) {
    status = absl::InvalidArgumentError(
        absl::StrCat(life.size(), " bytes of an agent's life, at most ", kAgentNameMax));
  }
  if (!status.ok()) return ToException(status);
  context.allowCancellation();
  using Adopted = absl::StatusOr<std::vector<Filter>>;
  auto handover = MakeHandover<Adopted>(service_.loop.mailbox());
  service_.endpoint.Adopt(session_->number, life.cStr(), kj::mv(handover.answer));
  return Pending(kj::mv(handover.promise)).then([context](const Adopted& adopted) mutable {
    if (adopted.ok()) PutFilters(*adopted, context.getResults());
    return Result(adopted.status());
  });
}

}  // namespace

wire::Node::Client ServeNode(NodeService& service, RpcConnection& connection) {
  return kj::heap<NodeServer>(service, connection);
}

}  // namespace foretell::snapshot
