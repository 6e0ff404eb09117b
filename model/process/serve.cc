// What the mailboxes do with requests: the semantics of figures 1 and 2 of the paper, over values.

#include <algorithm>
#include <set>

#include "foretell/model/process/protocol.h"

namespace foretell::model::process {
namespace {

using Message = Protocol::Message;

NodeId Asker(uint32_t process) { return NodeId(process); }

// One of `k`; asks only if there is something to choose.
uint32_t ChooseOne(size_t k, Context<Message>& context) {
  return k > 1 ? context.Choose(static_cast<uint32_t>(k)) : 0;
}

struct Server {
  Office& office;
  const NodeId from;
  Context<Message>& context;

  void operator()(const SendRequest& request) const {
    office.PostSend(from.value(), request);
    context.Send(from, Posted());
  }
  void operator()(const RecvRequest& request) const {
    const std::vector<Post> heads = office.Heads(request);
    std::optional<Post> head;
    if (!heads.empty()) head = heads[ChooseOne(heads.size(), context)];
    office.PostRecv(from.value(), request, head);
    context.Send(from, Posted());
  }
  void operator()(const WaitRequest& request) const {
    office.askers[from.value()] = {request.posts, request.posts, request.expires, false};
  }
  void operator()(const TestRequest& request) const {
    if (!request.polled.empty()) {
      office.askers[from.value()] = {request.posts, request.polled, 0, true};
      return;
    }
    const std::vector<uint32_t> done = office.Done(from.value(), request.posts);
    if (done.empty()) {
      context.Send(from, Pending());
    } else {
      const uint32_t index = done[ChooseOne(done.size(), context)];
      context.Send(from, office.Take(from.value(), request.posts, index));
    }
  }
  template <class T>
  void operator()(const T&) const {
    context.Require(false, "an answer came to the mailboxes");
  }
};

}  // namespace

void Serve(Office& office, NodeId from, const Message& request, Context<Message>& context) {
  std::visit(Server{office, from, context}, request);
}

std::vector<Protocol::Action> AnswersOf(const Office& office) {
  std::vector<Protocol::Action> answers;
  for (const auto& [process, asker] : office.askers) {
    const std::vector<uint32_t> done = office.Done(process, asker.posts);
    for (const uint32_t index : done) answers.push_back(Protocol::Answer{process, index});
    if (!done.empty()) continue;
    if (asker.expires > 0) answers.push_back(Protocol::Expire{process, asker.expires});
    if (asker.tests && !office.Done(process, asker.until).empty()) {
      answers.push_back(Protocol::Answer{process, static_cast<uint32_t>(asker.posts.size())});
    }
  }
  return answers;
}

void Give(Office& office, const Protocol::Action& answer, Context<Message>& context) {
  const auto* const given = std::get_if<Protocol::Answer>(&answer);
  const uint32_t process =
      given != nullptr ? given->process : std::get<Protocol::Expire>(answer).process;
  const auto asker = office.askers.find(process);
  context.Require(asker != office.askers.end(), "nobody asked");
  if (asker == office.askers.end()) return;
  if (given != nullptr && given->index < asker->second.posts.size()) {
    context.Send(Asker(process), office.Take(process, asker->second.posts, given->index));
  } else {
    context.Send(Asker(process), Pending());
  }
  office.askers.erase(process);
}

// Every post in a queue is an offer for that mailbox, and the other way round.
bool ValidOffice(const Office& office) {
  size_t queued = 0;
  for (const auto& [mailbox, queue] : office.queues) {
    if (queue.empty()) return false;
    for (const Post& post : queue) {
      const auto offer = office.offers.find(post);
      if (offer == office.offers.end()) return false;
      const auto& mailboxes = offer->second.mailboxes;
      if (std::find(mailboxes.begin(), mailboxes.end(), mailbox) == mailboxes.end()) return false;
      ++queued;
    }
  }
  size_t offered = 0;
  for (const auto& [post, offer] : office.offers) {
    const std::set<std::string> distinct(offer.mailboxes.begin(), offer.mailboxes.end());
    if (distinct.empty()) return false;
    offered += distinct.size();
  }
  return queued == offered;
}

}  // namespace foretell::model::process
