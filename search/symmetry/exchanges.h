#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/symmetry/exchange.h"
#include "foretell/search/global_space.h"
#include "foretell/search/symmetry/classes.h"

namespace foretell::search {

// Exchanges of two nodes, on ids. Those of neighbours in a class make up all its permutations, so
// that there are few of them, and what each does to an id is remembered.
class Exchanges {
 public:
  // The space outlives this.
  Exchanges(GlobalSpace& space, const NodeClasses& classes);

  size_t count() const { return exchanges_.size(); }
  model::Exchange at(size_t exchange) const { return exchanges_[exchange]; }

  // The state that stands for `state`: itself, unless it is one of a failed node. Texts of failures
  // may name nodes, and nobody can exchange them there; as nothing depends on them, one stands for
  // all.
  model::StateId TextFree(model::NodeId node, model::StateId state) {
    const std::vector<uint32_t>& known = text_free_[node.index()];
    const bool there = state.index() < known.size() && known[state.index()] != 0;
    return there ? model::StateId(known[state.index()] - 1) : FindTextFree(node, state);
  }
  // The same with two nodes exchanged. A state or mailbox becomes one of the other node, if its own
  // is one of them.
  model::StateId State(size_t exchange, model::NodeId node, model::StateId state) {
    const std::vector<uint32_t>& known = states_[exchange * node_count_ + node.index()];
    const bool there = state.index() < known.size() && known[state.index()] != 0;
    return there ? model::StateId(known[state.index()] - 1) : FindState(exchange, node, state);
  }
  MailboxId Mailbox(size_t exchange, model::NodeId node, MailboxId mailbox) {
    const std::vector<uint32_t>& known = mailboxes_[exchange * node_count_ + node.index()];
    const bool there = mailbox.index() < known.size() && known[mailbox.index()] != 0;
    return there ? MailboxId(known[mailbox.index()] - 1) : FindMailbox(exchange, node, mailbox);
  }
  model::MessageId Message(size_t exchange, model::MessageId message);
  model::EventId Event(size_t exchange, model::NodeId node, model::EventId event);
  // What is sent, by receiver; on streams in the order in which it is sent, else in a fixed one.
  std::vector<model::MessageId> Sends(size_t exchange, model::SendsId sends);
  std::vector<model::MessageId> Sends(model::SendsId sends) const;

  void Apply(size_t exchange, GlobalState& state);

  uint64_t bytes() const;

 private:
  model::StateId FindTextFree(model::NodeId node, model::StateId state);
  model::StateId FindState(size_t exchange, model::NodeId node, model::StateId state);
  MailboxId FindMailbox(size_t exchange, model::NodeId node, MailboxId mailbox);
  void Sort(std::vector<model::MessageId>& messages) const;

  GlobalSpace& space_;
  model::TransitionTable& table_;
  const size_t node_count_;
  const bool streams_;
  std::vector<model::Exchange> exchanges_;
  // The image plus one; 0 is unknown.
  std::vector<std::vector<uint32_t>> text_free_;  // By node, and by state.
  std::vector<std::vector<uint32_t>> states_;     // By exchange and node, and by state.
  std::vector<std::vector<uint32_t>> mailboxes_;  // By exchange and node, and by mailbox.
  std::vector<std::vector<uint32_t>> messages_;   // By exchange, and by message.
};

}  // namespace foretell::search
