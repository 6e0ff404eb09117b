#include "foretell/model/process/office.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::model::process {
namespace {

void Append(const std::vector<std::string>& more, std::vector<std::string>& names) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

}  // namespace

std::optional<Post> Office::First(const std::string& mailbox, bool sends) const {
  const auto queue = queues.find(mailbox);
  if (queue == queues.end()) return std::nullopt;
  // A mailbox holds sends or receives, never both: they would have met.
  const Post first = queue->second.front();
  if (offers.at(first).sends != sends) return std::nullopt;
  return first;
}

std::optional<Post> Office::Head(const SendRequest& request) const {
  return First(request.to, /*sends=*/false);
}

std::vector<Post> Office::Heads(const RecvRequest& request) const {
  std::vector<Post> heads;
  for (const std::string& mailbox : request.from) {
    const std::optional<Post> first = First(mailbox, /*sends=*/true);
    if (first && std::find(heads.begin(), heads.end(), *first) == heads.end()) {
      heads.push_back(*first);
    }
  }
  return heads;
}

std::vector<uint32_t> Office::Done(uint32_t process, const std::vector<uint32_t>& numbers) const {
  std::vector<uint32_t> done;
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    if (ready.contains({process, numbers[i]})) done.push_back(i);
  }
  return done;
}

void Office::Put(Post post, const std::string& mailbox, const std::string& value) {
  Enqueue(post, {true, value, {mailbox}, true});
}

void Office::PostSend(uint32_t process, const SendRequest& request) {
  const Post post{process, request.post};
  if (request.buffered) ready[post] = {"", 0, post};
  const std::optional<Post> head = Head(request);
  if (!head) {
    Enqueue(post, {true, request.value, {request.to}, request.buffered});
    return;
  }
  const Offer met = Dequeue(*head);
  const auto where = std::find(met.mailboxes.begin(), met.mailboxes.end(), request.to);
  ready[*head] = {request.value, static_cast<uint32_t>(where - met.mailboxes.begin()), post};
  if (!request.buffered) ready[post] = {"", 0, *head};
}

void Office::PostRecv(uint32_t process, const RecvRequest& request, std::optional<Post> head) {
  const Post post{process, request.post};
  if (!head) {
    Enqueue(post, {false, "", request.from, false});
    return;
  }
  Offer met = Dequeue(*head);
  const auto where = std::find(request.from.begin(), request.from.end(), met.mailboxes.front());
  ready[post] = {std::move(met.value), static_cast<uint32_t>(where - request.from.begin()), *head};
  // A buffered send may have been done, and forgotten, long ago.
  if (!met.buffered) ready[*head] = {"", 0, post};
}

Completed Office::Take(uint32_t process, const std::vector<uint32_t>& numbers, uint32_t index) {
  const auto found = ready.find({process, numbers[index]});
  FORETELL_CHECK(found != ready.end());
  Completed completed{index, std::move(found->second.value), found->second.mailbox};
  ready.erase(found);
  return completed;
}

Touch Office::TouchOf(uint32_t process, const SendRequest& request) const {
  Touch touch{Touch::Kind::kSend, {request.to}, false, {{process, request.post}}};
  if (const std::optional<Post> head = Head(request)) {
    const Offer& met = offers.at(*head);
    touch.several = met.mailboxes.size() > 1;
    Append(met.mailboxes, touch.mailboxes);
    touch.posts.push_back(*head);
  }
  return touch;
}

Touch Office::TouchOf(uint32_t process, const RecvRequest& request,
                      std::optional<Post> head) const {
  Touch touch{Touch::Kind::kRecv, {}, request.from.size() > 1, {{process, request.post}}};
  Append(request.from, touch.mailboxes);
  // The sender of what is buffered does not notice.
  if (head && !offers.at(*head).buffered) touch.posts.push_back(*head);
  return touch;
}

Touch Office::TouchOf(uint32_t process, const std::vector<uint32_t>& looked_at) const {
  Touch touch;
  for (const uint32_t number : looked_at) {
    const Post post{process, number};
    touch.posts.push_back(post);
    const auto met = ready.find(post);
    if (met != ready.end() && met->second.with != post) touch.posts.push_back(met->second.with);
  }
  return touch;
}

void Office::Enqueue(Post post, Offer offer) {
  std::vector<std::string> mailboxes;
  Append(offer.mailboxes, mailboxes);
  for (const std::string& mailbox : mailboxes) queues[mailbox].push_back(post);
  offers[post] = std::move(offer);
}

Office::Offer Office::Dequeue(Post post) {
  auto found = offers.extract(post);
  FORETELL_CHECK(!found.empty());
  for (const std::string& mailbox : found.mapped().mailboxes) {
    const auto queue = queues.find(mailbox);
    if (queue == queues.end()) continue;
    std::erase(queue->second, post);
    if (queue->second.empty()) queues.erase(queue);
  }
  return std::move(found.mapped());
}

}  // namespace foretell::model::process
