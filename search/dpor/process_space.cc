#include "foretell/search/dpor/process_space.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "foretell/model/check.h"

namespace foretell::search {

namespace process = model::process;
using model::EventId;
using model::NodeId;
using model::StateId;
using process::Office;
using process::Protocol;
using process::Request;

ProcessSpace::ProcessSpace(model::TransitionTable& table)
    : table_(table), processes_(table.node_count() - 1), office_(processes_), asked_(processes_) {
  FORETELL_CHECK(process::IsProgram(table.service()));
}

const ProcessSpace::Asked& ProcessSpace::AskedIn(uint32_t p, uint32_t state) {
  if (state >= asked_[p].size()) asked_[p].resize(state + 1);
  Asked& asked = asked_[p][state];
  if (asked.known) return asked;
  asked.known = true;
  asked.request = process::EndRequest();
  if (table_.status(NodeId(p), StateId(state)) != model::NodeStatus::kUp) return asked;
  const auto decoded =
      model::Decode<Protocol::State>(table_.StateOf(NodeId(p), StateId(state)).body);
  asked.request = decoded->process->asks;
  const auto* const test = std::get_if<process::TestRequest>(&asked.request);
  asked.waits = std::holds_alternative<process::WaitRequest>(asked.request) ||
                (test != nullptr && !test->polled.empty());
  return asked;
}

const Office& ProcessSpace::OfficeIn(uint32_t office) {
  const auto [found, fresh] = offices_.try_emplace(office);
  if (fresh && table_.status(office_, StateId(office)) == model::NodeStatus::kUp) {
    const model::NodeState state = table_.StateOf(office_, StateId(office));
    found->second = *model::Decode<Protocol::State>(state.body)->mailboxes;
  }
  return found->second;
}

uint32_t ProcessSpace::NumberOf(const std::string& mailbox) {
  return mailboxes_.try_emplace(mailbox, static_cast<uint32_t>(mailboxes_.size())).first->second;
}
uint32_t ProcessSpace::NumberOf(const process::Post& post) {
  const auto [found, fresh] = posts_.try_emplace(post, static_cast<uint32_t>(posts_.size()));
  if (fresh) post_of_.push_back(post);
  return found->second;
}

Touched ProcessSpace::Number(uint32_t p, const process::Touch& touch) {
  Touched touched{p, static_cast<Touched::Kind>(touch.kind), touch.several, {}, {}};
  for (const std::string& mailbox : touch.mailboxes) {
    touched.mailboxes.push_back(NumberOf(mailbox));
  }
  for (const process::Post& post : touch.posts) touched.posts.push_back(NumberOf(post));
  return touched;
}

EventId ProcessSpace::RequestOf(uint32_t p, const Request& request) {
  return EventId::Deliver(
      table_.InternMessage({NodeId(p), office_, model::Encode(Protocol::Asking(request))}));
}

// An event of which there is one outcome.
void ProcessSpace::Take(NodeId node, uint32_t& state, EventId event, std::vector<Part>& parts) {
  const model::Step step = table_.Successors(node, StateId(state), event).front();
  parts.push_back({node, event, step});
  state = step.next.value();
}

// The mailboxes take note of a process that waits.
void ProcessSpace::Register(uint32_t p, uint32_t state, uint32_t& office,
                            std::vector<Part>& parts) {
  const Asked& asked = AskedIn(p, state);
  if (!asked.waits || !table_.Accepts(office_, StateId(office))) return;
  Take(office_, office, RequestOf(p, asked.request), parts);
}

ProcessSpace::Step ProcessSpace::GoOn(const Key& key, EventId event, const model::Step& served) {
  Step step;
  step.process = key.state;
  step.office = served.next.value();
  step.parts.push_back({office_, event, served});
  for (const model::Batch& batch : table_.Batches(served.sends)) {
    for (const model::MessageId message : table_.Messages(batch.list)) {
      Take(batch.to, step.process, EventId::Deliver(message), step.parts);
    }
  }
  const auto status = table_.status(NodeId(key.process), StateId(step.process));
  step.fails = status == model::NodeStatus::kFailed;
  Register(key.process, step.process, step.office, step.parts);
  return step;
}

void ProcessSpace::ServeNow(const Key& key, const Asked& asked, std::vector<Step>& steps) {
  const EventId event = RequestOf(key.process, asked.request);
  const Office office = OfficeIn(key.office);
  std::vector<process::Post> heads;
  const auto* const send = std::get_if<process::SendRequest>(&asked.request);
  const auto* const recv = std::get_if<process::RecvRequest>(&asked.request);
  const auto* const test = std::get_if<process::TestRequest>(&asked.request);
  if (recv != nullptr) heads = office.Heads(*recv);
  const std::span<const model::Step> outcomes =
      table_.Successors(office_, StateId(key.office), event);
  for (const model::Step& served : outcomes) {
    const std::span<const uint32_t> choices = table_.ChoicesOf(served);
    const uint32_t choice = choices.empty() ? 0 : choices.front();
    process::Touch touch;
    Step step = GoOn(key, event, served);
    if (send != nullptr) {
      touch = office.TouchOf(key.process, *send);
    } else if (recv != nullptr) {
      std::optional<process::Post> head;
      if (!heads.empty()) head = heads[choice];
      touch = office.TouchOf(key.process, *recv, head);
      // By the mailbox it comes from: who is first there differs from state to state.
      if (head && recv->from.size() > 1) {
        step.key = 1 + NumberOf(office.offers.at(*head).mailboxes.front());
      }
    } else {
      touch = office.TouchOf(key.process, test->posts);
      touch.several = test->posts.size() > 1;
      if (outcomes.size() > 1) step.key = 1 + office.Done(key.process, test->posts)[choice];
    }
    step.touched = Number(key.process, touch);
    steps.push_back(std::move(step));
  }
}

void ProcessSpace::AnswerLater(const Key& key, const Asked& asked, std::vector<Step>& steps) {
  for (const EventId event : table_.LocalEvents(office_, StateId(key.office))) {
    if (event.kind() != model::EventKind::kAction) continue;
    const auto action = *model::Decode<Protocol::Action>(table_.EventOf(event).body);
    const auto* const answer = std::get_if<Protocol::Answer>(&action);
    const auto* const expire = std::get_if<Protocol::Expire>(&action);
    const uint32_t to = answer != nullptr ? answer->process : expire->process;
    if (to != key.process) continue;
    const model::Step served = table_.Successors(office_, StateId(key.office), event).front();
    Step step = GoOn(key, event, served);
    std::set<uint32_t> looked;
    if (const auto* wait = std::get_if<process::WaitRequest>(&asked.request)) {
      looked.insert(wait->posts.begin(), wait->posts.end());
      step.blocks = wait->expires == 0;
    } else {
      const auto& test = std::get<process::TestRequest>(asked.request);
      looked.insert(test.posts.begin(), test.posts.end());
      looked.insert(test.polled.begin(), test.polled.end());
      step.blocks = true;
    }
    if (looked.size() > 1 && answer != nullptr) step.key = 1 + answer->index;
    const std::vector<uint32_t> posts(looked.begin(), looked.end());
    step.touched = Number(key.process, OfficeIn(key.office).TouchOf(key.process, posts));
    step.touched.several = posts.size() > 1;
    steps.push_back(std::move(step));
  }
}

std::vector<ProcessSpace::Step> ProcessSpace::Compute(const Key& key) {
  std::vector<Step> steps;
  const Asked asked = AskedIn(key.process, key.state);
  if (std::holds_alternative<process::EndRequest>(asked.request)) return steps;
  if (table_.status(office_, StateId(key.office)) != model::NodeStatus::kUp) return steps;
  if (asked.waits) {
    AnswerLater(key, asked, steps);
  } else {
    ServeNow(key, asked, steps);
  }
  return steps;
}

std::span<const ProcessSpace::Step> ProcessSpace::Steps(const ProcessIds& state, uint32_t p) {
  const Key key{p, state[p], state[processes_]};
  if (const auto found = index_.find(key); found != index_.end()) return *found->second;
  const std::vector<Step>& computed = steps_.emplace_back(Compute(key));
  for (const Step& step : computed) {
    const bool post = step.touched.kind != Touched::Kind::kLook;
    open_outcomes_ |= post ? step.touched.several : computed.size() > 1 && !step.blocks;
  }
  bytes_ += sizeof(Key) + sizeof(void*) + computed.size() * (sizeof(Step) + 4 * sizeof(Part));
  index_.emplace(key, &computed);
  return computed;
}

ProcessIds ProcessSpace::Start(const model::SystemCut& cut, std::vector<Part>& parts) {
  ProcessIds state(processes_ + 1);
  for (uint32_t n = 0; n <= processes_; ++n) {
    state[n] = table_.InternState(NodeId(n), cut.nodes[n]).value();
  }
  // Answers on their way arrive, and who waits is taken note of. A process that has asked for
  // something else has yet to be served: that is a step.
  std::vector<bool> asks(processes_);
  for (const model::Message& message : cut.in_flight) {
    if (message.to == office_) {
      asks[message.from.value()] = true;
    } else if (table_.Accepts(message.to, StateId(state[message.to.value()]))) {
      Take(message.to, state[message.to.value()], EventId::Deliver(table_.InternMessage(message)),
           parts);
      asks[message.to.value()] = true;
    }
  }
  for (uint32_t p = 0; p < processes_; ++p) {
    if (table_.status(NodeId(p), StateId(state[p])) != model::NodeStatus::kUp) continue;
    const auto begins = table_.LocalEvents(NodeId(p), StateId(state[p]));
    for (const EventId event : begins) {
      if (event.kind() != model::EventKind::kAction) continue;
      Take(NodeId(p), state[p], event, parts);
      asks[p] = true;
      break;
    }
    if (asks[p]) Register(p, state[p], state[processes_], parts);
  }
  return state;
}

model::Path ProcessSpace::PathOf(std::span<const Part> parts) const {
  model::Path path;
  for (const Part& part : parts) {
    path.push_back(table_.PathStepOf(part.node, part.event, part.step));
  }
  return path;
}

}  // namespace foretell::search
