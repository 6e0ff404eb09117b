#include "foretell/snapshot/wire/convert.h"

#include <capnp/dynamic.h>
#include <kj/exception.h>

#include "absl/strings/str_cat.h"

namespace foretell::snapshot {
namespace {

// Ours and the schema's enumerators have the same numbers, so that a cast is all that is needed.
// One of ours that has none in the schema moves kLast, and does not compile.
template <class Ours, class Wire>
constexpr bool Same(Ours ours, Wire wire) {
  return static_cast<uint16_t>(ours) == static_cast<uint16_t>(wire);
}
static_assert(Same(model::NodeStatus::kUp, wire::NodeStatus::UP));
static_assert(Same(model::NodeStatus::kDown, wire::NodeStatus::DOWN));
static_assert(Same(model::NodeStatus::kFailed, wire::NodeStatus::FAILED));
static_assert(Same(model::NodeStatus::kAbsent, wire::NodeStatus::ABSENT));
static_assert(Same(model::NodeStatus::kLast, wire::NodeStatus::ABSENT));
static_assert(Same(model::EventKind::kDeliver, wire::EventKind::DELIVER));
static_assert(Same(model::EventKind::kAction, wire::EventKind::ACTION));
static_assert(Same(model::EventKind::kCrash, wire::EventKind::CRASH));
static_assert(Same(model::EventKind::kRestart, wire::EventKind::RESTART));
static_assert(Same(model::EventKind::kBreak, wire::EventKind::BREAK));
static_assert(Same(model::EventKind::kLast, wire::EventKind::BREAK));
// Those of filter.h have names as well: convert_test compares them with the schema's.

// Where the schema has the count of a fault.
struct FaultField {
  model::FaultKind kind;
  uint8_t (wire::NodeState::Reader::*get)() const;
  void (wire::NodeState::Builder::*set)(uint8_t);
};
constexpr FaultField kFaultFields[] = {
    {model::FaultKind::kCrash, &wire::NodeState::Reader::getCrashes,
     &wire::NodeState::Builder::setCrashes},
    {model::FaultKind::kBreak, &wire::NodeState::Reader::getBreaks,
     &wire::NodeState::Builder::setBreaks},
};
static_assert(model::IsComplete(kFaultFields));

template <class Ours, class Wire>
absl::Status GetEnum(Wire from, const char* what, Ours& to) {
  const auto value = static_cast<uint16_t>(from);
  if (value > static_cast<uint16_t>(Ours::kLast)) {
    return absl::InvalidArgumentError(absl::StrCat("unknown ", what, " ", value));
  }
  to = static_cast<Ours>(value);
  return absl::OkStatus();
}

// More invariants than that no service has; more agents no node keeps apart.
constexpr uint64_t kModesMax = 256;
constexpr uint64_t kKnownAgentsMax = 256;

absl::Status GetMode(wire::Mode from, Mode& to) { return GetEnum(from, "mode", to); }

capnp::Data::Reader Bytes(const std::string& bytes) {
  return {reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()};
}
capnp::Text::Reader Chars(const std::string& text) { return {text.c_str(), text.size()}; }

std::string String(capnp::Data::Reader bytes) {
  return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}
std::string String(capnp::Text::Reader text) { return {text.begin(), text.size()}; }

unsigned Count(size_t size) { return static_cast<unsigned>(size); }

absl::Status CheckCount(uint64_t count, const char* what, uint64_t most) {
  if (count <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(count, " ", what, ", at most ", most, " are possible"));
}

absl::Status GetLease(uint64_t millis, std::chrono::milliseconds& to) {
  constexpr auto kMost = static_cast<uint64_t>(std::chrono::milliseconds(kLeaseMax).count());
  if (millis > kMost) {
    return absl::InvalidArgumentError(
        absl::StrCat("a lease of ", millis, " ms, at most ", kMost, " ms is possible"));
  }
  to = std::chrono::milliseconds(millis);
  return absl::OkStatus();
}

absl::Status GetMessage(wire::Message::Reader from, model::Message& to) {
  absl::Status status = GetNode(from.getFrom(), "sender", to.from);
  if (status.ok()) status = GetNode(from.getTo(), "receiver", to.to);
  to.body = String(from.getBody());
  return status;
}

// The numbers of checkpoint.h, each under its name.
template <class T>
void PutNumbers(const T& from, capnp::DynamicStruct::Builder to) {
  T::Numbers(from, [&to](const char* name, auto value) { to.set(name, value); });
}
template <class T>
void GetNumbers(capnp::DynamicStruct::Reader from, T& to) {
  T::Numbers(to, [&from]<class Number>(const char* name, Number& value) {
    value = from.get(name).as<Number>();
  });
}

void PutOutbox(const Outbox& from, wire::Outbox::Builder to) {
  PutNumbers(from, to);
  to.setTo(from.to.value());
  auto recent = to.initRecent(Count(from.recent.size()));
  for (unsigned i = 0; i < recent.size(); ++i) {
    recent[i].setSeq(from.recent[i].seq);
    recent[i].setBody(Bytes(from.recent[i].body));
    recent[i].setCheckpoint(from.recent[i].checkpoint);
  }
}

absl::Status GetOutbox(wire::Outbox::Reader from, Outbox& to) {
  GetNumbers(from, to);
  to.recent.clear();
  for (const wire::SentMessage::Reader message : from.getRecent()) {
    to.recent.push_back({message.getSeq(), String(message.getBody()), message.getCheckpoint()});
  }
  return GetNode(from.getTo(), "receiver", to.to);
}

void PutInbox(const Inbox& from, wire::Inbox::Builder to) {
  PutNumbers(from, to);
  to.setFrom(from.from.value());
  auto missing = to.initMissing(Count(from.missing.size()));
  for (unsigned i = 0; i < missing.size(); ++i) missing.set(i, from.missing[i]);
}

absl::Status GetInbox(wire::Inbox::Reader from, Inbox& to) {
  GetNumbers(from, to);
  const auto missing = from.getMissing();
  absl::Status status = CheckCount(missing.size(), "missing messages", kWindow);
  if (!status.ok()) return status;
  to.missing.clear();
  for (const uint64_t seq : missing) to.missing.push_back(seq);
  return GetNode(from.getFrom(), "sender", to.from);
}

absl::Status CheckKept(wire::Checkpoint::Reader from) {
  absl::Status status = CheckCount(from.getSent().size(), "outboxes", kNodesMax);
  if (!status.ok()) return status;
  uint64_t kept = 0;
  for (const wire::Outbox::Reader outbox : from.getSent()) kept += outbox.getRecent().size();
  return CheckCount(kept, "messages kept", kMessagesMax);
}

using WireModes = capnp::List<wire::InvariantMode>;

void PutModes(const std::map<std::string, Mode>& from, WireModes::Builder to) {
  unsigned i = 0;
  for (const auto& [invariant, mode] : from) {
    to[i].setInvariant(Chars(invariant));
    to[i++].setMode(static_cast<wire::Mode>(mode));
  }
}

absl::Status GetModes(WireModes::Reader from, std::map<std::string, Mode>& to) {
  to.clear();
  if (absl::Status status = CheckCount(from.size(), "modes", kModesMax); !status.ok())
    return status;
  for (const wire::InvariantMode::Reader entry : from) {
    Mode mode = Mode::kOff;
    if (absl::Status status = GetMode(entry.getMode(), mode); !status.ok()) return status;
    const std::string invariant = String(entry.getInvariant());
    if (!to.emplace(invariant, mode).second) {
      return absl::InvalidArgumentError(absl::StrCat("invariant '", invariant, "' has two modes"));
    }
  }
  return absl::OkStatus();
}

absl::Status GetHits(wire::FilterHits::Reader from, FilterHits& to) {
  to.decision = String(from.getDecision());
  to.count = from.getCount();
  return GetMode(from.getMode(), to.mode);
}

// Reads every element of `from` with `get` into a fresh `to`, unless there are too many.
template <class List, class T, class F>
absl::Status GetList(const List& from, const char* what, uint64_t most, std::vector<T>& to,
                     F&& get) {
  to.clear();
  if (absl::Status status = CheckCount(from.size(), what, most); !status.ok()) return status;
  for (const auto element : from) {
    absl::Status status = get(element, to.emplace_back());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status GuardRead(const std::function<absl::Status()>& read) {
  try {
    return read();
  } catch (const kj::Exception& e) {
    return absl::InvalidArgumentError(
        absl::StrCat("malformed message: ", e.getDescription().cStr()));
  }
}

absl::Status GetNode(uint32_t from, const char* what, model::NodeId& to) {
  if (from >= kNodesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " ", from, ", node ids are below ", kNodesMax));
  }
  to = model::NodeId(from);
  return absl::OkStatus();
}

void Put(const model::NodeState& from, wire::NodeState::Builder to) {
  to.setStatus(static_cast<wire::NodeStatus>(from.status));
  for (const FaultField& field : kFaultFields) (to.*field.set)(from.faults[field.kind]);
  to.setBody(Bytes(from.body));
}

absl::Status Get(wire::NodeState::Reader from, model::NodeState& to) {
  return GuardRead([&] {
    for (const FaultField& field : kFaultFields) to.faults[field.kind] = (from.*field.get)();
    to.body = String(from.getBody());
    return GetEnum(from.getStatus(), "node status", to.status);
  });
}

void Put(const model::SystemCut& from, wire::Cut::Builder to) {
  auto nodes = to.initNodes(Count(from.nodes.size()));
  for (unsigned i = 0; i < nodes.size(); ++i) Put(from.nodes[i], nodes[i]);
  auto in_flight = to.initInFlight(Count(from.in_flight.size()));
  for (unsigned i = 0; i < in_flight.size(); ++i) {
    in_flight[i].setFrom(from.in_flight[i].from.value());
    in_flight[i].setTo(from.in_flight[i].to.value());
    in_flight[i].setBody(Bytes(from.in_flight[i].body));
  }
}

absl::Status Get(wire::Cut::Reader from, model::SystemCut& to) {
  return GuardRead([&]() -> absl::Status {
    absl::Status status = GetList(from.getNodes(), "nodes", kNodesMax, to.nodes,
                                  [](auto node, model::NodeState& out) { return Get(node, out); });
    if (!status.ok()) return status;
    return GetList(from.getInFlight(), "messages in flight", kMessagesMax, to.in_flight,
                   GetMessage);
  });
}

void Put(const model::Event& from, wire::Event::Builder to) {
  to.setKind(static_cast<wire::EventKind>(from.kind));
  to.setPeer(from.peer.value());
  to.setBody(Bytes(from.body));
}

absl::Status Get(wire::Event::Reader from, model::Event& to) {
  return GuardRead([&] {
    to.body = String(from.getBody());
    absl::Status status = GetNode(from.getPeer(), "peer", to.peer);
    if (!status.ok()) return status;
    return GetEnum(from.getKind(), "event kind", to.kind);
  });
}

void Put(const model::PathStep& from, wire::PathStep::Builder to) {
  to.setNode(from.node.value());
  Put(from.event, to.initEvent());
  auto choices = to.initChoices(Count(from.choices.size()));
  for (unsigned i = 0; i < choices.size(); ++i) choices.set(i, from.choices[i]);
}

absl::Status Get(wire::PathStep::Reader from, model::PathStep& to) {
  return GuardRead([&] {
    to.choices.clear();
    for (const uint32_t choice : from.getChoices()) to.choices.push_back(choice);
    absl::Status status = GetNode(from.getNode(), "node", to.node);
    return status.ok() ? Get(from.getEvent(), to.event) : status;
  });
}

void Put(const Checkpoint& from, wire::Checkpoint::Builder to) {
  PutNumbers(from, to);
  to.setNode(from.node.value());
  Put(from.state, to.initState());
  auto sent = to.initSent(Count(from.sent.size()));
  for (unsigned i = 0; i < sent.size(); ++i) PutOutbox(from.sent[i], sent[i]);
  auto received = to.initReceived(Count(from.received.size()));
  for (unsigned i = 0; i < received.size(); ++i) PutInbox(from.received[i], received[i]);
}

absl::Status Get(wire::Checkpoint::Reader from, Checkpoint& to) {
  return GuardRead([&] {
    GetNumbers(from, to);
    absl::Status status = GetNode(from.getNode(), "node", to.node);
    if (status.ok()) status = Get(from.getState(), to.state);
    if (status.ok()) status = CheckKept(from);
    if (status.ok()) status = GetList(from.getSent(), "outboxes", kNodesMax, to.sent, GetOutbox);
    if (!status.ok()) return status;
    return GetList(from.getReceived(), "inboxes", kNodesMax, to.received, GetInbox);
  });
}

void Put(const Filter& from, wire::Filter::Builder to) {
  to.setDecision(Chars(from.decision));
  to.setInvariant(Chars(from.invariant));
  to.setKind(static_cast<wire::FilterKind>(from.kind));
  to.setMode(static_cast<wire::Mode>(from.mode));
  to.setNode(from.node.value());
  Put(from.event, to.initEvent());
  to.setLeaseMillis(static_cast<uint64_t>(from.lease.count()));
}

absl::Status Get(wire::Filter::Reader from, Filter& to) {
  return GuardRead([&] {
    absl::Status status =
        CheckCount(from.getDecision().size(), "bytes of a decision's name", kFilterNameMax);
    status.Update(
        CheckCount(from.getInvariant().size(), "bytes of an invariant's name", kFilterNameMax));
    if (!status.ok()) return status;
    to.decision = String(from.getDecision());
    to.invariant = String(from.getInvariant());
    status = GetEnum(from.getKind(), "filter kind", to.kind);
    if (status.ok()) status = GetMode(from.getMode(), to.mode);
    if (status.ok()) status = GetNode(from.getNode(), "node", to.node);
    if (status.ok()) status = Get(from.getEvent(), to.event);
    return status.ok() ? GetLease(from.getLeaseMillis(), to.lease) : status;
  });
}

absl::Status Get(capnp::List<wire::Filter>::Reader from, std::vector<Filter>& to) {
  return GuardRead([&] {
    uint64_t bytes = 0;
    return GetList(from, "filters", kFiltersMax, to, [&bytes](auto filter, Filter& out) {
      bytes += filter.getEvent().getBody().size();
      const absl::Status status = CheckCount(bytes, "bytes of filters", kFilterBytesMax);
      return status.ok() ? Get(filter, out) : status;
    });
  });
}

void Put(const NodeInfo& from, wire::NodeInfo::Builder to) {
  to.setProtocol(from.protocol);
  to.setService(Chars(from.service));
  to.setScenario(Chars(from.scenario));
  to.setBug(Chars(from.bug));
  to.setVersion(Chars(from.version));
  to.setNode(from.node.value());
  to.setNodeCount(from.node_count);
  to.setCheckpoint(from.checkpoint);
}

absl::Status Get(wire::NodeInfo::Reader from, NodeInfo& to) {
  return GuardRead([&]() -> absl::Status {
    to.protocol = from.getProtocol();
    to.service = String(from.getService());
    to.scenario = String(from.getScenario());
    to.bug = String(from.getBug());
    to.version = String(from.getVersion());
    to.node_count = from.getNodeCount();
    to.checkpoint = from.getCheckpoint();
    const absl::Status status = CheckCount(to.node_count, "nodes", kNodesMax);
    return !status.ok() ? status : GetNode(from.getNode(), "node", to.node);
  });
}

void Put(const AgentIdentity& from, wire::AgentIdentity::Builder to) {
  to.setName(Chars(from.name));
  to.setLife(Chars(from.life));
  PutModes(from.modes, to.initModes(Count(from.modes.size())));
}

absl::Status Get(wire::AgentIdentity::Reader from, AgentIdentity& to) {
  return GuardRead([&] {
    absl::Status status =
        CheckCount(from.getName().size(), "bytes of an agent's name", kAgentNameMax);
    status.Update(CheckCount(from.getLife().size(), "bytes of an agent's life", kAgentNameMax));
    if (!status.ok()) return status;
    to.name = String(from.getName());
    to.life = String(from.getLife());
    return GetModes(from.getModes(), to.modes);
  });
}

namespace {

void PutKnown(const KnownAgent& from, wire::KnownAgent::Builder to) {
  Put(from.agent, to.initAgent());
  to.setConnected(from.connected);
  to.setKnownMillis(static_cast<uint64_t>(from.known_for.count()));
  to.setFilters(from.filters);
  to.setLeaseMillis(static_cast<uint64_t>(from.lease.count()));
}

absl::Status GetKnown(wire::KnownAgent::Reader from, KnownAgent& to) {
  // No node has been up for longer than a thousand years.
  constexpr uint64_t kMillisMax = 1'000ull * 366 * 24 * 3'600'000;
  absl::Status status = Get(from.getAgent(), to.agent);
  status.Update(CheckCount(from.getKnownMillis(), "milliseconds of an agent", kMillisMax));
  if (!status.ok()) return status;
  to.connected = from.getConnected();
  to.known_for = std::chrono::milliseconds(from.getKnownMillis());
  to.filters = from.getFilters();
  return GetLease(from.getLeaseMillis(), to.lease);
}

}  // namespace

void Put(const NodeCounters& from, wire::NodeCounters::Builder to) {
  to.setEvents(from.events);
  to.setCheckpoints(from.checkpoints);
  to.setCheckpointNanos(from.checkpoint_nanos);
  to.setCheckpointBytes(from.checkpoint_bytes);
  to.setVetoed(from.vetoed);
  to.setShadowed(from.shadowed);
  to.setImmediateVetoed(from.immediate_vetoed);
  to.setImmediateShadowed(from.immediate_shadowed);
  to.setGuardAsked(from.guard_asked);
  to.setGuardForced(from.guard_forced);
  to.setGuardRefused(from.guard_refused);
  to.setGuardExpired(from.guard_expired);
  to.setGuardLapsed(from.guard_lapsed);
  to.setGuardNanos(from.guard_nanos);
  auto hits = to.initHits(Count(from.hits.size()));
  for (unsigned i = 0; i < hits.size(); ++i) {
    hits[i].setDecision(Chars(from.hits[i].decision));
    hits[i].setMode(static_cast<wire::Mode>(from.hits[i].mode));
    hits[i].setCount(from.hits[i].count);
  }
  auto agents = to.initAgents(Count(from.agents.size()));
  for (unsigned i = 0; i < agents.size(); ++i) PutKnown(from.agents[i], agents[i]);
}

absl::Status Get(wire::NodeCounters::Reader from, NodeCounters& to) {
  return GuardRead([&] {
    to.events = from.getEvents();
    to.checkpoints = from.getCheckpoints();
    to.checkpoint_nanos = from.getCheckpointNanos();
    to.checkpoint_bytes = from.getCheckpointBytes();
    to.vetoed = from.getVetoed();
    to.shadowed = from.getShadowed();
    to.immediate_vetoed = from.getImmediateVetoed();
    to.immediate_shadowed = from.getImmediateShadowed();
    to.guard_asked = from.getGuardAsked();
    to.guard_forced = from.getGuardForced();
    to.guard_refused = from.getGuardRefused();
    to.guard_expired = from.getGuardExpired();
    to.guard_lapsed = from.getGuardLapsed();
    to.guard_nanos = from.getGuardNanos();
    const absl::Status status = GetList(from.getHits(), "filters", kFiltersMax, to.hits, GetHits);
    if (!status.ok()) return status;
    return GetList(from.getAgents(), "agents", kKnownAgentsMax, to.agents, GetKnown);
  });
}

void Put(const SafetyCut& from, wire::SafetyCut::Builder to) {
  to.setNumber(from.number);
  Put(from.cut, to.initCut());
  PutModes(from.modes, to.initModes(Count(from.modes.size())));
  to.setLeaseMillis(static_cast<uint64_t>(from.lease.count()));
}

absl::Status Get(wire::SafetyCut::Reader from, SafetyCut& to) {
  return GuardRead([&]() -> absl::Status {
    to.number = from.getNumber();
    absl::Status status = GetModes(from.getModes(), to.modes);
    if (status.ok()) status = GetLease(from.getLeaseMillis(), to.lease);
    return status.ok() ? Get(from.getCut(), to.cut) : status;
  });
}

namespace {

using WireViews = capnp::List<capnp::List<wire::GuardKey>>;
constexpr uint64_t kViewsMax = 8;  // Of one state: as it is, crashed, restarted.

void PutViews(const GuardViews& from, WireViews::Builder to) {
  for (unsigned v = 0; v < to.size(); ++v) {
    auto view = to.init(v, Count(from[v].size()));
    for (unsigned k = 0; k < view.size(); ++k) {
      if (from[v][k]) view[k].setKey(Bytes(*from[v][k]));
    }
  }
}

absl::Status GetViews(WireViews::Reader from, GuardViews& to) {
  using Keys = capnp::List<wire::GuardKey>::Reader;
  return GetList(from, "views", kViewsMax, to, [](Keys keys, GuardView& view) {
    return GetList(keys, "guarded projections", kGuardedMax, view,
                   [](wire::GuardKey::Reader key, std::optional<std::string>& one) {
                     one.reset();
                     if (key.isKey()) one = String(key.getKey());
                     return absl::OkStatus();
                   });
  });
}

}  // namespace

void Put(const GuardTerms& from, wire::GuardTerms::Builder to) {
  auto invariants = to.initInvariants(Count(from.invariants.size()));
  for (unsigned i = 0; i < invariants.size(); ++i) invariants.set(i, Chars(from.invariants[i]));
  to.setHoldMillis(static_cast<uint64_t>(from.hold.count()));
}

absl::Status Get(wire::GuardTerms::Reader from, GuardTerms& to) {
  return GuardRead([&] {
    const uint64_t most = static_cast<uint64_t>(kHoldMax.count());
    if (from.getHoldMillis() > most) {
      return absl::InvalidArgumentError(
          absl::StrCat("hold of ", from.getHoldMillis(), " ms, limit ", most));
    }
    to.hold = std::chrono::milliseconds(from.getHoldMillis());
    return GetList(from.getInvariants(), "guarded invariants", kGuardedMax, to.invariants,
                   [](capnp::Text::Reader text, std::string& name) {
                     name = String(text);
                     return absl::OkStatus();
                   });
  });
}

void Put(const GuardJoined& from, wire::GuardJoined::Builder to) {
  to.setStep(from.step);
  PutViews(from.views, to.initViews(Count(from.views.size())));
}

absl::Status Get(wire::GuardJoined::Reader from, GuardJoined& to) {
  return GuardRead([&] {
    to.step = from.getStep();
    return GetViews(from.getViews(), to.views);
  });
}

void Put(const GuardStep& from, wire::GuardStep::Builder to) {
  to.setNumber(from.number);
  to.setBase(from.base);
  to.setForced(from.forced);
  to.setEvent(Chars(from.event));
  PutViews(from.views, to.initViews(Count(from.views.size())));
}

absl::Status Get(wire::GuardStep::Reader from, GuardStep& to) {
  return GuardRead([&] {
    to.number = from.getNumber();
    to.base = from.getBase();
    to.forced = from.getForced();
    to.event = String(from.getEvent());
    return GetViews(from.getViews(), to.views);
  });
}

}  // namespace foretell::snapshot
