#pragma once

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/testing/fake_endpoint.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {

// Only a guard against hanging: nothing that works takes as long.
inline constexpr std::chrono::seconds kLong{60};
// For what is expected not to answer at all.
inline constexpr std::chrono::milliseconds kShort{200};

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "rpcXXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  Address Socket(uint32_t node) const {
    Address address;
    address.path = File("node" + std::to_string(node));
    return address;
  }

 private:
  std::string path_;
};

inline Address Loopback() {
  Address address;
  address.tcp = true;
  address.host = "127.0.0.1";
  return address;
}

// The number of files in a folder of /proc/self: descriptors in "fd", threads in "task".
inline long CountOwn(const std::string& folder) {
  using Iterator = std::filesystem::directory_iterator;
  return std::distance(Iterator("/proc/self/" + folder), Iterator());
}

// The kernel takes a thread from the list a little after it can be joined: waits for that, and
// returns the number of threads.
inline long AwaitThreads(long expected) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  long count = CountOwn("task");
  while (count != expected && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
    count = CountOwn("task");
  }
  return count;
}

// Lines of a server, for a test to wait for.
class Log {
 public:
  RpcLog Sink() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      text_ += line + "\n";
      changed_.notify_all();
    };
  }
  // The log so far, as soon as it contains `part`, or after kLong: the test then fails by itself.
  std::string Await(const std::string& part) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLong, [&] { return text_.find(part) != std::string::npos; });
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

inline std::unique_ptr<RpcServer> StartServer(const Address& address, NodeEndpoint& endpoint,
                                              const RpcLimits& limits = {},
                                              const TlsFiles& tls = {}, RpcLog log = nullptr) {
  auto server = RpcServer::Start(address, tls, limits, endpoint, std::move(log));
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? std::move(*server) : nullptr;
}

inline std::unique_ptr<RpcClient> StartClient(RpcClient::Options options) {
  auto client = RpcClient::Start(std::move(options));
  EXPECT_TRUE(client.ok()) << client.status();
  return client.ok() ? std::move(*client) : nullptr;
}

inline std::unique_ptr<RpcClient> StartClient(const std::vector<Address>& addresses) {
  RpcClient::Options options;
  for (uint32_t i = 0; i < addresses.size(); ++i) {
    options.nodes.push_back({model::NodeId(i), addresses[i]});
  }
  return StartClient(std::move(options));
}

// Asks until node `node` answers: for nodes that were started again.
inline CheckpointReply CollectUntilUp(RpcClient& client, uint64_t number, size_t node) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  CheckpointReply reply;
  do {
    reply = client.Collect(number, kLong)[node];
  } while (!reply.checkpoint.ok() && std::chrono::steady_clock::now() < end);
  return reply;
}

// Asks all, in a round of its own, until `nodes` have answered. Of these no more than a short time
// is asked for at once, for the sake of others that are silent: on a slow machine they may need
// several.
inline std::vector<CheckpointReply> CollectDespiteSilence(RpcClient& client, uint64_t number,
                                                          const std::vector<size_t>& nodes) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (true) {
    client.StartRound();
    std::vector<CheckpointReply> replies = client.Collect(number, kShort);
    const bool all = std::all_of(nodes.begin(), nodes.end(),
                                 [&](size_t node) { return replies[node].checkpoint.ok(); });
    if (all || std::chrono::steady_clock::now() >= end) return replies;
  }
}

}  // namespace foretell::snapshot
