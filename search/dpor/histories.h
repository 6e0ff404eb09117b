#pragma once

// The processes of a program by number: their histories, and what they ask for. User code runs once
// for each history of one process, however many executions it is a part of, and on a process that
// is there already where it can (model::LiveNode).

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/service.h"

namespace foretell::search {

// What a process asks for, by numbers: mailboxes and values as they became known, posts by
// Histories::PostOf.
struct Wish {
  enum class Kind : uint8_t { kSend, kRecv, kWait, kTest, kNothing };
  Kind kind = Kind::kNothing;
  bool fails = false;     // kNothing: it is broken.
  bool buffered = false;  // kSend.
  uint32_t post = 0;      // kSend, kRecv: its own.
  uint32_t value = 0;     // kSend.
  bool expires = false;   // kWait: it may give up.
  std::vector<uint32_t> mailboxes;
  std::vector<uint32_t> posts;   // kWait, kTest.
  std::vector<uint32_t> polled;  // kTest: there is no answer before one of these is done.
  friend bool operator==(const Wish&, const Wish&) = default;
};

class Histories {
 public:
  // The service outlives it, and is a program.
  explicit Histories(const model::Service& service);

  uint32_t process_count() const { return processes_; }
  // The state of a process that goes on from `state`, which may be down or broken. Where `asked` is
  // false, what it has asked for is lost, and it never goes on.
  uint32_t Begin(uint32_t process, const model::NodeState& state, bool asked);

  const Wish& WishOf(uint32_t process, uint32_t history) const {
    return nodes_[process][history].wish;
  }
  // The history after one result more. REQUIRES: it goes with what the process asked for.
  uint32_t AfterPost(uint32_t process, uint32_t history) { return Next(process, history, kPosted); }
  uint32_t InVain(uint32_t process, uint32_t history) { return Next(process, history, kPending); }
  uint32_t AfterCompleted(uint32_t process, uint32_t history, uint32_t index, uint32_t value,
                          uint32_t mailbox);
  model::process::History HistoryOf(uint32_t process, uint32_t history) const;
  // What `invariant` sees of a process in that state.
  std::optional<std::string> Project(size_t invariant, uint32_t process, uint32_t history);

  uint32_t MailboxOf(const std::string& name);
  uint32_t ValueOf(std::string_view value) { return values_.Intern(value); }
  // What is in mailboxes from the beginning was posted by their node, the last.
  uint32_t PostOf(model::process::Post post) const {
    return post.number * (processes_ + 1) + post.process;
  }
  model::process::Post PostOf(uint32_t number) const {
    return {number % (processes_ + 1), number / (processes_ + 1)};
  }

  // Whether any process has become something else, and may use the numbers of its posts again.
  bool any_became() const { return any_became_; }
  // Runs histories again, from the beginning, and compares: what is not the same, for people.
  std::optional<std::string> Audit();
  uint64_t count() const { return count_; }
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr uint32_t kPosted = 0, kPending = 1, kCompleted = 2;  // And more: a triple.
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t parent = kNone;  // One of those that it comes from, and with which result.
    uint32_t result = 0;
    uint32_t root = kNone;  // Its history begins here.
    Wish wish;
    bool silent = false;                    // It has ended, and no invariant sees anything of it.
    std::unique_ptr<model::LiveNode> live;  // Stands there, if it has not gone on.
  };
  // Where a history begins: with the check (then there is a state), or with what a process has
  // become.
  struct Root {
    model::process::History history;
    model::NodeState state;
  };
  struct Ran {
    Wish wish;
    std::optional<std::string> became;
  };

  uint32_t Next(uint32_t process, uint32_t history, uint32_t result);
  Node Make(uint32_t process, std::pair<uint32_t, uint32_t> from, Ran ran,
            std::unique_ptr<model::LiveNode> live);
  uint32_t Add(uint32_t process, Node node);
  std::unique_ptr<model::LiveNode> Revive(uint32_t process, uint32_t history) const;
  bool IsSilent(const model::LiveNode& live) const;
  Ran Run(uint32_t process, model::LiveNode& live, uint32_t result);
  Wish Parse(uint32_t process, const model::process::Protocol::Message& message);
  model::process::Result ResultOf(uint32_t result) const;

  const model::Service& service_;
  const uint32_t processes_;
  const model::NodeId office_;
  std::vector<std::vector<Node>> nodes_;  // By process and history.
  std::vector<Root> roots_;
  std::vector<std::map<std::string, uint32_t>> became_;        // By process: what it has become.
  std::vector<absl::flat_hash_map<uint64_t, uint32_t>> next_;  // By history and result.
  std::map<std::string, uint32_t> mailboxes_;
  model::Interner values_;
  model::SequenceInterner completed_;  // Index, value, mailbox.
  bool any_became_ = false;
  uint64_t lives_ = 0;
  uint64_t count_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace foretell::search
