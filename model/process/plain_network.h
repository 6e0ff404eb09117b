#pragma once

// The network of the paper's figures 1 and 2, spelt out: communications with the ids that are
// written there, each the number of those before it plus one. It judges the mailboxes of office.h
// and shares nothing with them. One mailbox per request, as in the paper; data are values.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/process/run.h"

namespace foretell::model::process {

class PlainNetwork {
 public:
  enum class Status : uint8_t { kSend, kRecv, kReady, kDone };
  struct Comm {
    uint32_t id = 0;
    std::string rdv;
    Status status = Status::kSend;
    std::optional<uint32_t> src;
    std::optional<uint32_t> dst;
    std::string data;
    friend auto operator<=>(const Comm&, const Comm&) = default;
  };

  void Send(uint32_t process, uint32_t post, const std::string& rdv, const std::string& data);
  void Recv(uint32_t process, uint32_t post, const std::string& rdv);
  // Whether the communication of a post is "ready" or "done".
  bool Complete(uint32_t process, uint32_t post) const;
  // A Wait for it, or a Test that is true: what a receiver gets. REQUIRES: Complete.
  std::string Finish(uint32_t process, uint32_t post);

  const std::vector<Comm>& net() const { return net_; }
  friend auto operator<=>(const PlainNetwork&, const PlainNetwork&) = default;

 private:
  Comm* Oldest(const std::string& rdv, Status status);
  Comm& Add(const std::string& rdv, Status status);
  uint32_t IdOf(Post post) const;

  std::vector<Comm> net_;           // By id, from 1.
  std::map<Post, uint32_t> sends_;  // mem[pid][comm_r]: the ids of what was posted ...
  std::map<Post, uint32_t> receives_;
};

// A whole program on it, one primitive at a time. Nothing is remembered, all is run again.
class PlainProcesses {
 public:
  explicit PlainProcesses(const Program& program);

  // A way for a process to go on: for a Wait, which of its posts ended it.
  struct Move {
    uint32_t process = 0;
    uint32_t index = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };
  std::vector<Move> Enabled() const;
  // REQUIRES: `move` is enabled.
  void Take(Move move);

  uint32_t process_count() const { return static_cast<uint32_t>(processes_.size()); }
  const Request& request(uint32_t process) const { return processes_[process].request; }
  const History& history(uint32_t process) const { return processes_[process].history; }
  const PlainNetwork& network() const { return network_; }
  // Equal iff everything is, ids included.
  std::string Bytes() const;

 private:
  struct One {
    History history;
    Request request;
    bool broken = false;
  };
  Result Do(Move move);

  const Program* program_;
  std::vector<One> processes_;
  PlainNetwork network_;
};

}  // namespace foretell::model::process
