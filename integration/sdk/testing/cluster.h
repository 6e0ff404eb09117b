#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "foretell/integration/sdk/host.h"
#include "gtest/gtest.h"

namespace foretell::integration::sdk::testing {

inline constexpr std::chrono::seconds kHang{60};

// Hosts in this process, each with a thread of its own, on ports that the kernel chose.
class Cluster {
 public:
  explicit Cluster(const model::Service& service, HostOptions base = {})
      : service_(service), base_(std::move(base)), nodes_(service.node_count()) {
    base_.now = [] { return std::chrono::steady_clock::now(); };
    if (base_.service.empty()) base_.service = "test";
  }
  ~Cluster() {
    for (uint32_t n = 0; n < nodes_.size(); ++n) static_cast<void>(Stop(n));
  }

  void Start(uint32_t n, const std::function<void(HostOptions&)>& change = nullptr) {
    HostOptions options = base_;
    options.node = model::NodeId(n);
    if (change) change(options);
    auto host = Host::Open(service_, std::move(options));
    ASSERT_TRUE(host.ok()) << host.status();
    Node& node = nodes_[n];
    node.host = *std::move(host);
    node.thread = std::thread([&node] { node.result = node.host->Run(); });
  }
  void StartAll(const std::function<void(HostOptions&)>& change = nullptr) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) Start(n, change);
    Connect();
  }
  // Tells every node that is up where all nodes are.
  void Connect() {
    std::vector<std::string> peers;
    for (Node& node : nodes_) {
      if (node.host) node.address = node.host->listen_address();
      peers.push_back(node.address.empty() ? "127.0.0.1:1" : node.address);
    }
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!nodes_[n].host) continue;
      EXPECT_EQ(Ask(n, "peers " + absl::StrJoin(peers, ",")), "ok");
    }
  }

  std::string Ask(uint32_t n, const std::string& command) {
    auto answer = std::make_shared<std::promise<std::string>>();
    std::future<std::string> future = answer->get_future();
    nodes_[n].host->Execute(command, [answer](std::string text) { answer->set_value(text); });
    if (future.wait_for(kHang) == std::future_status::ready) return future.get();
    ADD_FAILURE() << "node " << n << " does not answer: " << command;
    return "";
  }
  // Waits until the answer to `command` has `text` in it.
  bool Await(uint32_t n, const std::string& command, const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + kHang;
    while (std::chrono::steady_clock::now() < end) {
      if (Ask(n, command).find(text) != std::string::npos) return true;
      std::this_thread::yield();
    }
    ADD_FAILURE() << "node " << n << ", " << command << ": never '" << text << "', but\n"
                  << Ask(n, command);
    return false;
  }

  Host& host(uint32_t n) { return *nodes_[n].host; }
  // Ends the node and returns what Run returned.
  absl::Status Stop(uint32_t n) {
    Node& node = nodes_[n];
    if (!node.host) return absl::OkStatus();
    node.host->Stop();
    return Join(n);
  }
  // Waits until it has ended by itself.
  absl::Status Join(uint32_t n) {
    nodes_[n].thread.join();
    nodes_[n].host.reset();
    return nodes_[n].result;
  }

 private:
  struct Node {
    std::unique_ptr<Host> host;
    std::thread thread;
    absl::Status result;
    std::string address;
  };
  const model::Service& service_;
  HostOptions base_;
  std::vector<Node> nodes_;
};

}  // namespace foretell::integration::sdk::testing
