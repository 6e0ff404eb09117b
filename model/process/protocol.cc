#include "foretell/model/process/protocol.h"

#include "foretell/model/typed/service.h"

namespace foretell::model::process {

using Message = Protocol::Message;

namespace {

// Live, from when a node is up.
constexpr std::chrono::milliseconds kBeginsAfter{1000};

// What a process asserts is told in its own words; all else that it throws is the caller's.
template <class F>
void Guarded(Context<Message>& context, const F& run) {
  try {
    run();
  } catch (const AssertionFailed& failed) {
    context.Require(false, failed.what());
  }
}

}  // namespace

Message Protocol::Asking(const Request& request) {
  return std::visit(
      [](const auto& asked) -> Message {
        if constexpr (std::is_same_v<std::decay_t<decltype(asked)>, EndRequest>) {
          return Posted();  // Nobody sends it.
        } else {
          return asked;
        }
      },
      request);
}

bool IsProgram(const Service& service) {
  return service.message_kinds() == KindsOf<Message>::Names() &&
         service.action_kinds() == KindsOf<Protocol::Action>::Names();
}

Protocol::State Protocol::Initial(NodeId node) const {
  State state;
  if (node == office()) {
    state.mailboxes.emplace();
    // As if the mailboxes had posted them.
    for (const Program::Content& content : program_->contents()) {
      const auto number = static_cast<uint32_t>(state.mailboxes->offers.size());
      state.mailboxes->Put({node.value(), number}, content.mailbox, content.value);
    }
  } else {
    state.process.emplace();
  }
  return state;
}

std::string Protocol::Role(NodeId node) const {
  return node == office() ? "mailboxes" : program_->name(node.value());
}

std::vector<Protocol::Action> Protocol::Actions(NodeId, const State& state) const {
  if (state.mailboxes) return AnswersOf(*state.mailboxes);
  if (state.process && !state.process->started) return {Start()};
  return {};
}

ActionTiming Protocol::Timing(const Action& action) const {
  // All of it happens by itself. Giving up takes time, and others get some to come up before a
  // process begins.
  ActionTiming timing{.origin = ActionTiming::Origin::kTimer, .spread = {}, .vetoable = false};
  timing.spread = std::chrono::milliseconds(0);
  if (std::holds_alternative<Start>(action)) timing.delay = kBeginsAfter;
  if (const auto* expire = std::get_if<Expire>(&action)) {
    timing.delay = std::chrono::milliseconds(expire->millis);
  }
  return timing;
}

void Protocol::OnAction(Live& live, const Action& action, Context<Message>& context) const {
  if (std::holds_alternative<Start>(action)) {
    Begin(live, context);
  } else {
    Give(*live.state_.mailboxes, action, context);
  }
}

void Protocol::OnMessage(Live& live, NodeId from, const Message& message,
                         Context<Message>& context) const {
  if (live.state_.mailboxes) {
    Serve(*live.state_.mailboxes, from, message, context);
    return;
  }
  if (const auto* posted = std::get_if<Posted>(&message)) GoOn(live, *posted, context);
  if (const auto* completed = std::get_if<Completed>(&message)) GoOn(live, *completed, context);
  if (const auto* pending = std::get_if<Pending>(&message)) GoOn(live, *pending, context);
}

void Protocol::Begin(Live& live, Context<Message>& context) const {
  live.state_.process->started = true;
  Guarded(context, [&] {
    live.run_ = std::make_unique<ProcessRun>(*program_, context.self().value(), History());
    live.state_.process->history = live.run_->history();
    SendNext(live, context);
  });
}

void Protocol::GoOn(Live& live, const Result& result, Context<Message>& context) const {
  ProcessState& process = *live.state_.process;
  Guarded(context, [&] {
    if (!live.run_) {
      live.run_ = std::make_unique<ProcessRun>(*program_, context.self().value(), process.history);
    }
    live.run_->Go(result);
    const History& history = live.run_->history();
    if (history.results.empty()) {
      process.history = history;  // It has become something.
    } else {
      process.history.results.push_back(result);
    }
    SendNext(live, context);
  });
}

void Protocol::SendNext(Live& live, Context<Message>& context) const {
  ProcessState& process = *live.state_.process;
  process.asks = live.run_->request();
  process.at = live.run_->Doing();
  if (std::holds_alternative<EndRequest>(process.asks)) return;
  context.Send(office(), Asking(process.asks));
}

std::optional<std::string> Protocol::Ask(const State& state, const std::string& question) const {
  if (question != kBecame || !state.process) return std::nullopt;
  const History& history = state.process->history;
  if (history.as.name.empty() || !history.results.empty()) return std::nullopt;
  return Encode(history.as);
}

std::vector<TypedInvariant<Protocol::State>> Protocol::Invariants() const {
  return {NodeInvariant<State, std::string>(
      {.name = "no-deadlock",
       .text = "When nothing can happen any more, every process has come to its end.",
       .when_stuck = true},
      [](NodeId, const State& state) -> std::optional<std::string> {
        if (!state.process || std::holds_alternative<EndRequest>(state.process->asks)) {
          return std::nullopt;
        }
        return state.process->at;
      },
      [](const std::string&) { return true; })};
}

bool Protocol::Valid(const State& state) const {
  if (state.process.has_value() == state.mailboxes.has_value()) return false;
  return state.process || ValidOffice(*state.mailboxes);
}

}  // namespace foretell::model::process
