#include "foretell/search/dpor/histories.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/model/typed/render.h"

namespace foretell::search {

namespace process = model::process;
using model::NodeId;
using process::Protocol;

namespace {

// How many processes stand by to go on, at most. One that does not is run again.
constexpr uint64_t kLivesMax = 1024;
// How many histories of each process are run again in the end, at most: the youngest, which are
// the longest.
constexpr size_t kAuditedMax = 512;

// A process decides nothing by chance.
uint32_t NoChance(uint32_t) { return 0; }

}  // namespace

Histories::Histories(const model::Service& service)
    : service_(service),
      processes_(service.node_count() - 1),
      office_(processes_),
      nodes_(processes_),
      became_(processes_),
      next_(processes_) {
  FORETELL_CHECK(process::IsProgram(service));
  values_.Intern("");  // Number 0: what a sender gets.
}

uint32_t Histories::Add(uint32_t p, Node node) {
  ++count_;
  bytes_ += sizeof(Node) + 2 * (sizeof(uint64_t) + sizeof(uint32_t)) +
            4 * (node.wish.mailboxes.size() + node.wish.posts.size());
  nodes_[p].push_back(std::move(node));
  return static_cast<uint32_t>(nodes_[p].size() - 1);
}

uint32_t Histories::Begin(uint32_t p, const model::NodeState& state, bool asked) {
  const auto decoded = model::Decode<Protocol::State>(state.body);
  // Of a process that broke before it asked for anything, the body says why.
  const bool failed = state.status == model::NodeStatus::kFailed;
  FORETELL_CHECK(failed || (decoded && decoded->process));
  Node root;
  root.root = static_cast<uint32_t>(roots_.size());
  if (state.status == model::NodeStatus::kUp && asked) {
    root.wish = Parse(p, Protocol::Asking(decoded->process->asks));
  }
  root.wish.fails = failed;
  const process::History history = failed ? process::History() : decoded->process->history;
  any_became_ = any_became_ || !history.as.name.empty();
  roots_.push_back({history, state});
  return Add(p, std::move(root));
}

uint32_t Histories::MailboxOf(const std::string& name) {
  return mailboxes_.try_emplace(name, static_cast<uint32_t>(mailboxes_.size())).first->second;
}

Wish Histories::Parse(uint32_t p, const Protocol::Message& message) {
  Wish wish;
  const auto posts = [&](const std::vector<uint32_t>& numbers) {
    std::vector<uint32_t> known;
    for (const uint32_t number : numbers) known.push_back(PostOf(process::Post{p, number}));
    return known;
  };
  if (const auto* send = std::get_if<process::SendRequest>(&message)) {
    wish.kind = Wish::Kind::kSend;
    wish.buffered = send->buffered;
    wish.post = PostOf(process::Post{p, send->post});
    wish.value = ValueOf(send->value);
    wish.mailboxes.push_back(MailboxOf(send->to));
  } else if (const auto* recv = std::get_if<process::RecvRequest>(&message)) {
    wish.kind = Wish::Kind::kRecv;
    wish.post = PostOf(process::Post{p, recv->post});
    for (const std::string& name : recv->from) wish.mailboxes.push_back(MailboxOf(name));
  } else if (const auto* wait = std::get_if<process::WaitRequest>(&message)) {
    wish.kind = Wish::Kind::kWait;
    wish.expires = wait->expires > 0;
    wish.posts = posts(wait->posts);
  } else if (const auto* test = std::get_if<process::TestRequest>(&message)) {
    wish.kind = Wish::Kind::kTest;
    wish.posts = posts(test->posts);
    wish.polled = posts(test->polled);
  }
  return wish;
}

process::Result Histories::ResultOf(uint32_t result) const {
  if (result == kPosted) return process::Posted();
  if (result == kPending) return process::Pending();
  const std::span<const uint32_t> parts = completed_.at(result - kCompleted);
  return process::Completed{parts[0], std::string(values_.at(parts[1])), parts[2]};
}

uint32_t Histories::AfterCompleted(uint32_t p, uint32_t history, uint32_t index, uint32_t value,
                                   uint32_t mailbox) {
  const std::array<uint32_t, 3> parts = {index, value, mailbox};
  return Next(p, history, kCompleted + completed_.Intern(parts));
}

uint32_t Histories::Next(uint32_t p, uint32_t history, uint32_t result) {
  const uint64_t key = uint64_t{history} << 32 | result;
  if (const auto found = next_[p].find(key); found != next_[p].end()) return found->second;
  std::unique_ptr<model::LiveNode> live = std::move(nodes_[p][history].live);
  if (live) {
    --lives_;
  } else {
    live = Revive(p, history);
  }
  Ran ran = Run(p, *live, result);
  uint32_t next = kNone;
  if (ran.became) {
    const auto known = became_[p].find(*ran.became);
    if (known != became_[p].end()) next = known->second;
  }
  if (next == kNone) next = Add(p, Make(p, {history, result}, std::move(ran), std::move(live)));
  next_[p].emplace(key, next);
  return next;
}

Histories::Node Histories::Make(uint32_t p, std::pair<uint32_t, uint32_t> from, Ran ran,
                                std::unique_ptr<model::LiveNode> live) {
  Node node{from.first, from.second, kNone, std::move(ran.wish), false, nullptr};
  if (ran.became) {
    node.root = static_cast<uint32_t>(roots_.size());
    roots_.push_back({{*model::Decode<process::Continuation>(*ran.became), {}}, {}});
    became_[p].emplace(*std::move(ran.became), static_cast<uint32_t>(nodes_[p].size()));
  }
  if (node.wish.kind == Wish::Kind::kNothing) {
    node.silent = node.wish.fails || IsSilent(*live);
  } else if (lives_ < kLivesMax) {
    ++lives_;
    node.live = std::move(live);
  }
  return node;
}

bool Histories::IsSilent(const model::LiveNode& live) const {
  for (size_t i = 0; i < service_.invariants().size(); ++i) {
    if (live.Project(i)) return false;
  }
  return true;
}

process::History Histories::HistoryOf(uint32_t p, uint32_t history) const {
  std::vector<uint32_t> results;
  uint32_t at = history;
  for (; nodes_[p][at].root == kNone; at = nodes_[p][at].parent) {
    results.push_back(nodes_[p][at].result);
  }
  process::History whole = roots_[nodes_[p][at].root].history;
  for (auto it = results.rbegin(); it != results.rend(); ++it) {
    whole.results.push_back(ResultOf(*it));
  }
  return whole;
}

// Its user code runs when it goes on.
std::unique_ptr<model::LiveNode> Histories::Revive(uint32_t p, uint32_t history) const {
  process::ProcessState state;
  state.started = true;
  state.history = HistoryOf(p, history);
  return service_.MakeLive(NodeId(p), model::Encode(Protocol::State{std::move(state), {}}));
}

Histories::Ran Histories::Run(uint32_t p, model::LiveNode& live, uint32_t result) {
  const Protocol::Message answer =
      std::visit([](const auto& given) -> Protocol::Message { return given; }, ResultOf(result));
  const model::HandlerResult handled = live.Handle(
      {model::EventKind::kDeliver, office_, model::Encode(answer)}, model::Draw(&NoChance));
  Ran ran;
  if (!handled.failure.empty()) {
    ran.wish.fails = true;
    return ran;
  }
  ran.became = live.Ask(Protocol::kBecame);
  any_became_ = any_became_ || ran.became.has_value();
  if (handled.sends.empty()) return ran;
  const auto message = model::Decode<Protocol::Message>(handled.sends.front().body);
  FORETELL_CHECK(message.has_value());
  ran.wish = Parse(p, *message);
  return ran;
}

std::optional<std::string> Histories::Project(size_t invariant, uint32_t p, uint32_t history) {
  const Node& node = nodes_[p][history];
  if (node.silent || node.wish.fails) return std::nullopt;
  if (node.live) return node.live->Project(invariant);
  if (node.parent == kNone) {
    const model::NodeState& state = roots_[node.root].state;
    if (model::IsSilent(state)) return std::nullopt;
    return service_.Project(invariant, NodeId(p), state.body);
  }
  // What it has asked for is not known before it has run there.
  const auto live = Revive(p, node.parent);
  const Ran ran = Run(p, *live, node.result);
  return ran.wish.fails ? std::nullopt : live->Project(invariant);
}

std::optional<std::string> Histories::Audit() {
  for (uint32_t p = 0; p < processes_; ++p) {
    size_t left = kAuditedMax;
    for (size_t h = nodes_[p].size(); h-- > 0 && left > 0;) {
      if (nodes_[p][h].parent == kNone) continue;
      --left;
      const uint32_t result = nodes_[p][h].result;
      const Ran again = Run(p, *Revive(p, nodes_[p][h].parent), result);
      const Node& node = nodes_[p][h];
      std::optional<std::string> became;
      if (node.root != kNone) became = model::Encode(roots_[node.root].history.as);
      if (again.became == became && again.wish == node.wish) continue;
      return absl::StrCat("process ", service_.Role(NodeId(p)), " (node ", p, ") after ",
                          model::RenderLine(HistoryOf(p, static_cast<uint32_t>(h))),
                          " does not ask for the same again");
    }
  }
  return std::nullopt;
}

}  // namespace foretell::search
