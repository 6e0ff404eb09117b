#include "foretell/snapshot/rpc/client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/pack.h"
#include "foretell/snapshot/rpc/peer.h"
#include "foretell/snapshot/rpc/tls.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {
namespace {

absl::Status RefusalStatus(wire::Refusal refusal, const std::string& reason) {
  switch (refusal) {
    case wire::Refusal::NONE: return absl::OkStatus();
    case wire::Refusal::PRUNED: return absl::NotFoundError(absl::StrCat("pruned: ", reason));
    case wire::Refusal::BANDWIDTH:
      return absl::ResourceExhaustedError(absl::StrCat("bandwidth: ", reason));
    case wire::Refusal::SHUTTING_DOWN:
      return absl::UnavailableError(absl::StrCat("shutting down: ", reason));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown refusal ", static_cast<uint16_t>(refusal), ": ", reason));
}

kj::Promise<absl::StatusOr<PackedCheckpoint>> AskCheckpoint(wire::Node::Client node,
                                                            uint64_t number, uint64_t have) {
  auto request = node.checkpointRequest();
  request.setNumber(number);
  request.setHave(have);
  return request.send().then([](auto&& response) -> absl::StatusOr<PackedCheckpoint> {
    absl::Status status = RefusalStatus(response.getRefusal(), response.getReason().cStr());
    PackedCheckpoint packed;
    if (status.ok()) status = Get(response.getCheckpoint(), packed);
    if (!status.ok()) return status;
    return packed;
  });
}

class Client : public RpcClient {
 public:
  Client(Options options, std::unique_ptr<RpcLoop> loop)
      : options_(std::move(options)), loop_(std::move(loop)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([this] {
      peers_.clear();
      return absl::OkStatus();
    }));
  }
  absl::Status Open();

  void StartRound() override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([this] {
      for (const auto& peer : peers_) peer->StartRound();
      return absl::OkStatus();
    }));
  }
  std::vector<CheckpointReply> Collect(uint64_t number, Timeout timeout) override;
  std::vector<absl::StatusOr<NodeInfo>> Infos(Timeout timeout) override;
  std::vector<absl::StatusOr<NodeCounters>> Counters(Timeout timeout) override;
  std::vector<absl::Status> SetFilters(const std::vector<std::vector<Filter>>& filters,
                                       Timeout timeout) override;
  std::vector<absl::Status> SetSafetyCut(const SafetyCut& cut, Timeout timeout) override;
  std::vector<Adopted> Adopt(const std::vector<std::string>& lives, Timeout timeout) override;
  void Introduce(const std::map<std::string, Mode>& modes) override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([&] {
      options_.identity.modes = modes;
      for (const auto& peer : peers_) peer->Introduce();
      return absl::OkStatus();
    }));
  }
  void SetGuard(const GuardTerms& terms) override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([&] {
      for (const auto& peer : peers_) peer->SetGuard(terms);
      return absl::OkStatus();
    }));
  }

 private:
  // Asks all nodes at once; `ask` is called with the index of each.
  template <class T>
  std::vector<T> AskAll(
      Timeout timeout, const std::function<kj::Promise<T>(size_t, wire::Node::Client)>& ask,
      const std::function<void(size_t)>& answered = [](size_t) {});

  Options options_;  // The modes of its identity belong to the loop's thread.
  std::unique_ptr<RpcLoop> loop_;
  std::vector<std::unique_ptr<RpcPeer>> peers_;  // On the loop's thread.
  std::vector<std::unique_ptr<CheckpointUnpacker>> unpackers_;
};

absl::Status Client::Open() {
  for (size_t i = 0; i < options_.nodes.size(); ++i) {
    if (options_.nodes[i].node.index() != i) {
      return absl::InvalidArgumentError(absl::StrCat("nodes of an agent: node ", i, " expected, ",
                                                     options_.nodes[i].node.value(), " found"));
    }
  }
  return loop_->Run([this] {
    for (const NodeAddress& node : options_.nodes) {
      auto tls = LoadTls(node.address, options_.tls);
      if (!tls.ok()) return tls.status();
      peers_.push_back(std::make_unique<RpcPeer>(*loop_, options_, node, kj::mv(*tls)));
      unpackers_.push_back(std::make_unique<CheckpointUnpacker>(node.node, options_.limits));
    }
    return absl::OkStatus();
  });
}

template <class T>
std::vector<T> Client::AskAll(Timeout timeout,
                              const std::function<kj::Promise<T>(size_t, wire::Node::Client)>& ask,
                              const std::function<void(size_t)>& answered) {
  std::vector<T> results(options_.nodes.size(), T(absl::UnknownError("not asked")));
  const absl::Status status = loop_->Await([&] {
    auto asked = kj::heapArrayBuilder<kj::Promise<void>>(peers_.size());
    for (size_t i = 0; i < peers_.size(); ++i) {
      asked.add(peers_[i]
                    ->Ask<T>(timeout.count() * kj::MILLISECONDS,
                             [&ask, i](wire::Node::Client node) { return ask(i, node); })
                    .then([&, i](T result) {
                      results[i] = std::move(result);
                      answered(i);
                    }));
    }
    return kj::joinPromises(asked.finish()).then([] { return absl::OkStatus(); });
  });
  if (!status.ok()) results.assign(options_.nodes.size(), T(status));
  return results;
}

std::vector<CheckpointReply> Client::Collect(uint64_t number, Timeout timeout) {
  using Packed = absl::StatusOr<PackedCheckpoint>;
  const size_t count = options_.nodes.size();
  std::vector<std::shared_ptr<const CheckpointBytes>> have;
  for (const auto& unpacker : unpackers_) have.push_back(unpacker->last());
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::chrono::nanoseconds> durations(count);
  const std::vector<Packed> packed = AskAll<Packed>(
      timeout,
      [&](size_t i, wire::Node::Client node) {
        return AskCheckpoint(kj::mv(node), number, have[i]->hash);
      },
      [&](size_t i) { durations[i] = std::chrono::steady_clock::now() - start; });
  // Unpacked here and not on the loop, where a large reply would make others late.
  std::vector<CheckpointReply> replies;
  for (size_t i = 0; i < count; ++i) {
    CheckpointReply& reply = replies.emplace_back();
    reply.duration = durations[i];
    if (!packed[i].ok()) {
      reply.checkpoint = packed[i].status();
      continue;
    }
    reply.bytes = packed[i]->bytes.size();
    reply.unchanged = packed[i]->form == PackedCheckpoint::Form::kUnchanged;
    reply.checkpoint = unpackers_[i]->Unpack(*packed[i], have[i]);
  }
  return replies;
}

std::vector<absl::StatusOr<NodeInfo>> Client::Infos(Timeout timeout) {
  using Info = absl::StatusOr<NodeInfo>;
  return AskAll<Info>(timeout, [this](size_t, wire::Node::Client node) {
    auto request = node.helloRequest();
    request.setProtocol(kProtocolVersion);
    request.setAgent(options_.agent.c_str());
    return request.send().then([](auto&& response) -> Info {
      NodeInfo info;
      const absl::Status status = Get(response.getInfo(), info);
      if (!status.ok()) return status;
      return info;
    });
  });
}

std::vector<absl::StatusOr<NodeCounters>> Client::Counters(Timeout timeout) {
  using Result = absl::StatusOr<NodeCounters>;
  return AskAll<Result>(timeout, [](size_t, wire::Node::Client node) {
    return node.countersRequest().send().then([](auto&& response) -> Result {
      NodeCounters counters;
      const absl::Status status = Get(response.getCounters(), counters);
      if (!status.ok()) return status;
      return counters;
    });
  });
}

std::vector<absl::Status> Client::SetFilters(const std::vector<std::vector<Filter>>& filters,
                                             Timeout timeout) {
  if (filters.size() != options_.nodes.size()) {
    return {options_.nodes.size(),
            absl::InvalidArgumentError(absl::StrCat("filters for ", filters.size(), " nodes, not ",
                                                    options_.nodes.size()))};
  }
  return AskAll<absl::Status>(timeout, [&filters](size_t i, wire::Node::Client node) {
    auto request = node.setFiltersRequest();
    auto list = request.initFilters(static_cast<unsigned>(filters[i].size()));
    for (unsigned f = 0; f < list.size(); ++f) Put(filters[i][f], list[f]);
    return request.send().then([](auto&&) { return absl::OkStatus(); });
  });
}

std::vector<absl::Status> Client::SetSafetyCut(const SafetyCut& cut, Timeout timeout) {
  return AskAll<absl::Status>(timeout, [&cut](size_t, wire::Node::Client node) {
    auto request = node.setSafetyCutRequest();
    Put(cut, request.initCut());
    return request.send().then([](auto&&) { return absl::OkStatus(); });
  });
}

std::vector<RpcClient::Adopted> Client::Adopt(const std::vector<std::string>& lives,
                                              Timeout timeout) {
  return AskAll<Adopted>(timeout,
                         [&lives](size_t i, wire::Node::Client node) -> kj::Promise<Adopted> {
                           if (i >= lives.size() || lives[i].empty())
                             return Adopted(std::vector<Filter>());
                           auto request = node.adoptRequest();
                           request.setLife(lives[i].c_str());
                           return request.send().then([](auto&& response) -> Adopted {
                             std::vector<Filter> filters;
                             const absl::Status status = Get(response.getFilters(), filters);
                             if (!status.ok()) return status;
                             return filters;
                           });
                         });
}

}  // namespace

absl::StatusOr<std::unique_ptr<RpcClient>> RpcClient::Start(Options options) {
  absl::StatusOr<std::unique_ptr<RpcLoop>> loop = RpcLoop::Start();
  if (!loop.ok()) return loop.status();
  auto client = std::make_unique<Client>(std::move(options), std::move(*loop));
  const absl::Status status = client->Open();
  if (!status.ok()) return status;
  return client;
}

}  // namespace foretell::snapshot
