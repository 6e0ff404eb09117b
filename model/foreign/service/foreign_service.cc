#include "foretell/model/foreign/service/foreign_service.h"

#include <stdexcept>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/foreign/service/op_names.h"
#include "foretell/model/foreign/service/service_fault.h"
#include "foretell/model/foreign/service/shown_bytes.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/live_node.h"

namespace foretell::model::foreign {
namespace {

// A live node like any other, which can also be asked.
class ForeignNode final : public LiveNode {
 public:
  ForeignNode(const ForeignService& service, NodeId node, std::unique_ptr<LiveNode> inner)
      : service_(service), node_(node), inner_(std::move(inner)) {}
  HandlerResult Handle(const Event& event, const Draw& draw) override {
    return inner_->Handle(event, draw);
  }
  std::string Encode() const override { return inner_->Encode(); }
  std::string Survivor() const override { return inner_->Survivor(); }
  std::vector<std::string> Actions() const override { return inner_->Actions(); }
  std::vector<std::string> Calls() const override { return inner_->Calls(); }
  std::optional<std::string> Ask(const std::string& question) const override {
    return service_.Ask(node_, inner_->Encode(), question);
  }
  std::optional<std::string> Project(size_t invariant) const override {
    return inner_->Project(invariant);
  }
  std::unique_ptr<LiveNode> Clone() const override {
    return std::make_unique<ForeignNode>(service_, node_, inner_->Clone());
  }

 private:
  const ForeignService& service_;
  NodeId node_;
  std::unique_ptr<LiveNode> inner_;
};

[[noreturn]] void Throw(uint32_t op, const std::string& why) {
  throw std::runtime_error(absl::StrCat(OpName(op), ": ", why));
}

constexpr const char* kDiffers =
    ": two processes answer it differently; it depends on something that each has for itself: the "
    "seed of a hash, the order of a map or set, an address, a clock";

// For ops without which there is no service.
void Require(uint32_t op, bool answered) {
  if (!answered) Throw(op, "the service does not answer it, and there is no default");
}

}  // namespace

ForeignService::ForeignService(std::shared_ptr<Connection> connection, uint32_t system,
                               std::string open, SystemRecord record)
    : connection_(std::move(connection)),
      system_(system),
      record_(std::move(record)),
      sampler_(connection_->elsewhere == nullptr
                   ? nullptr
                   : std::make_unique<Sampler>(*connection_->elsewhere, system, std::move(open))) {}

ForeignService::~ForeignService() { connection_->carrier->Close(system_); }

template <class Write, class Read>
bool ForeignService::Ask(uint32_t op, Write&& write, Read&& read) const {
  const uint64_t bit = uint64_t{1} << op;
  if ((unsupported_ & bit) != 0) return false;
  // Both keep their memory: most requests are as long as the last one.
  thread_local Writer request;
  thread_local std::string reply;
  request.Clear();
  request.U32(system_);
  write(request);
  const absl::Status status = connection_->carrier->Call(op, request.bytes(), reply);
  if (absl::IsUnimplemented(status)) {
    unsupported_ |= bit;
    return false;
  }
  if (!status.ok()) Throw(op, std::string(status.message()));
  Reader in(reply);
  read(in);
  in.End();
  if (!in.ok()) Throw(op, in.error());
  return true;
}

std::string ForeignService::InitialState(NodeId node) const {
  std::string state;
  Require(FORETELL_INITIAL, Ask(
                                FORETELL_INITIAL, [&](Writer& out) { out.U32(node.value()); },
                                [&](Reader& in) { state = in.Blob("state"); }));
  return state;
}

std::vector<std::string> ForeignService::Actions(NodeId node, const std::string& state) const {
  std::vector<std::string> actions;
  Ask(
      FORETELL_ACTIONS,
      [&](Writer& out) {
        out.U32(node.value());
        out.Blob(state);
      },
      [&](Reader& in) { actions = ReadBlobs(in, "actions"); });
  return actions;
}

HandlerResult ForeignService::Run(NodeId node, const std::string& state,
                                  std::span<const Event> events,
                                  std::span<const uint32_t> choices) const {
  thread_local Writer request;
  thread_local std::string reply;
  request.Clear();
  WriteRun(request, system_, node, state, events, choices);
  const absl::Status status = connection_->carrier->Call(FORETELL_RUN, request.bytes(), reply);
  HandlerResult result;
  if (status.ok()) {
    Reader in(reply);
    result = ReadResult(in, record_.nodes.size(), choices);
    if (in.ok() && sampler_ != nullptr) {
      if (const auto differs = sampler_->Add(node, events.back(), request.bytes(), reply)) {
        throw ServiceFault(absl::StrCat(Describe(*this, differs->node, differs->event), kDiffers));
      }
    }
    if (in.ok()) return result;
    return {.state = state, .failure = in.error()};
  }
  Require(FORETELL_RUN, !absl::IsUnimplemented(status));
  return {.state = state, .failure = std::string(status.message())};
}

std::string ForeignService::Relevant(const std::string& state) const {
  std::string relevant = state;
  if (!record_.has_auxiliary) return relevant;
  Ask(
      FORETELL_RELEVANT, [&](Writer& out) { out.Blob(state); },
      [&](Reader& in) { relevant = in.Blob("state"); });
  return relevant;
}

std::optional<std::string> ForeignService::Project(size_t invariant, NodeId node,
                                                   const std::string& state) const {
  std::optional<std::string> key;
  Require(FORETELL_PROJECT, Ask(
                                FORETELL_PROJECT,
                                [&](Writer& out) {
                                  out.U32(static_cast<uint32_t>(invariant));
                                  out.U32(node.value());
                                  out.Blob(state);
                                },
                                [&](Reader& in) { key = ReadOptional(in, "key"); }));
  return key;
}

bool ForeignService::Violates(size_t invariant,
                              std::span<const std::optional<std::string>> keys) const {
  bool violated = false;
  Require(FORETELL_VIOLATES, Ask(
                                 FORETELL_VIOLATES,
                                 [&](Writer& out) {
                                   out.U32(static_cast<uint32_t>(invariant));
                                   out.List(keys, [&](const std::optional<std::string>& key) {
                                     out.Bool(key.has_value());
                                     out.Blob(key.value_or(""));
                                   });
                                 },
                                 [&](Reader& in) { violated = in.Bool("violated"); }));
  return violated;
}

bool ForeignService::Reached(size_t goal, NodeId node, const std::string& state) const {
  bool reached = false;
  Ask(
      FORETELL_REACHED,
      [&](Writer& out) {
        out.U32(static_cast<uint32_t>(goal));
        out.U32(node.value());
        out.Blob(state);
      },
      [&](Reader& in) { reached = in.Bool("reached"); });
  return reached;
}

size_t ForeignService::Kind(uint32_t what, const std::string& body, size_t kinds,
                            Kinds& memory) const {
  constexpr size_t kKnownMax = 1 << 16;
  {
    const MutexLock lock(memory.mutex);
    if (const auto found = memory.known.find(body); found != memory.known.end()) {
      return found->second;
    }
  }
  uint32_t kind = 0;
  Ask(
      FORETELL_KIND,
      [&](Writer& out) {
        out.U32(what);
        out.Blob(body);
      },
      [&](Reader& in) { kind = in.Below(static_cast<uint32_t>(kinds), "kind"); });
  const MutexLock lock(memory.mutex);
  if (memory.known.size() < kKnownMax) memory.known.emplace(body, kind);
  return kind;
}

size_t ForeignService::MessageKind(const std::string& body) const {
  return Kind(FORETELL_MESSAGE, body, record_.message_kinds.size(), message_kinds_);
}
size_t ForeignService::ActionKind(const std::string& body) const {
  return Kind(FORETELL_ACTION_BODY, body, record_.action_kinds.size(), action_kinds_);
}

bool ForeignService::Render(uint32_t what, uint32_t node, const std::string& bytes,
                            std::string& line, std::vector<Field>& fields) const {
  return Ask(
      FORETELL_RENDER,
      [&](Writer& out) {
        out.U32(what);
        out.U32(node);
        out.Blob(bytes);
      },
      [&](Reader& in) { fields = ReadFields(in, line); });
}

std::vector<Field> ForeignService::RenderState(NodeId node, const std::string& state) const {
  std::string line;
  std::vector<Field> fields;
  if (!Render(FORETELL_STATE, node.value(), state, line, fields)) {
    return {{"state", ShownBytes(state)}};
  }
  if (fields.empty() && !line.empty()) fields.push_back({"state", line});
  return fields;
}

std::string ForeignService::Line(uint32_t what, const std::string& body) const {
  std::string line;
  std::vector<Field> fields;
  return Render(what, FORETELL_ANY_NODE, body, line, fields) ? line : ShownBytes(body);
}

std::string ForeignService::RenderMessage(const std::string& body) const {
  return Line(FORETELL_MESSAGE, body);
}
std::string ForeignService::RenderAction(const std::string& body) const {
  return Line(FORETELL_ACTION_BODY, body);
}

std::vector<Field> ForeignService::MessageFields(const std::string& body) const {
  std::string line;
  std::vector<Field> fields;
  Render(FORETELL_MESSAGE, FORETELL_ANY_NODE, body, line, fields);
  return fields;
}
std::vector<Field> ForeignService::ActionFields(const std::string& body) const {
  std::string line;
  std::vector<Field> fields;
  Render(FORETELL_ACTION_BODY, FORETELL_ANY_NODE, body, line, fields);
  return fields;
}

bool ForeignService::Valid(uint32_t what, const std::string& bytes) const {
  bool valid = true;
  Ask(
      FORETELL_VALID,
      [&](Writer& out) {
        out.U32(what);
        out.U32(FORETELL_ANY_NODE);
        out.Blob(bytes);
      },
      [&](Reader& in) { valid = in.Bool("valid"); });
  return valid;
}

bool ForeignService::ValidState(const std::string& state) const {
  return Valid(FORETELL_STATE, state);
}
bool ForeignService::ValidMessage(const std::string& body) const {
  return Valid(FORETELL_MESSAGE, body);
}
bool ForeignService::ValidAction(const std::string& body) const {
  return Valid(FORETELL_ACTION_BODY, body);
}

ActionTiming ForeignService::Timing(const std::string& body) const {
  ActionTiming timing;
  Ask(
      FORETELL_TIMING, [&](Writer& out) { out.Blob(body); },
      [&](Reader& in) { timing = ReadTiming(in); });
  return timing;
}

std::optional<uint32_t> ForeignService::Weight(const Event& event) const {
  std::optional<uint32_t> weight;
  Ask(
      FORETELL_WEIGHT, [&](Writer& out) { WriteEvent(out, event); },
      [&](Reader& in) {
        const bool present = in.Bool("present");
        const uint32_t value = in.U32("weight");
        if (present) weight = value;
      });
  return weight;
}

std::vector<std::string> ForeignService::Calls(NodeId node, const std::string& state) const {
  std::vector<std::string> calls;
  const bool answered = Ask(
      FORETELL_CALLS,
      [&](Writer& out) {
        out.U32(node.value());
        out.Blob(state);
      },
      [&](Reader& in) { calls = ReadBlobs(in, "calls"); });
  return answered ? calls : Service::Calls(node, state);
}

std::optional<std::string> ForeignService::ParseCall(const std::string& text) const {
  std::optional<std::string> call;
  Ask(
      FORETELL_PARSE_CALL, [&](Writer& out) { out.Blob(text); },
      [&](Reader& in) { call = ReadOptional(in, "action"); });
  return call;
}

std::unique_ptr<LiveNode> ForeignService::MakeLive(NodeId node, const std::string& state) const {
  return std::make_unique<ForeignNode>(*this, node, MakeEncodedNode(*this, node, state));
}

std::vector<Imagined> ForeignService::Imagine(const SystemCut& live) const {
  std::vector<Imagined> spaces;
  const bool answered = Ask(
      FORETELL_IMAGINE, [&](Writer& out) { WriteCut(out, live); },
      [&](Reader& in) { spaces = ReadImagined(in, record_.nodes.size()); });
  return answered ? spaces : Service::Imagine(live);
}

std::optional<std::string> ForeignService::Ask(NodeId node, const std::string& state,
                                               const std::string& question) const {
  std::optional<std::string> answer;
  Ask(
      FORETELL_ASK,
      [&](Writer& out) {
        out.U32(node.value());
        out.Blob(state);
        out.Blob(question);
      },
      [&](Reader& in) { answer = ReadOptional(in, "answer"); });
  return answer;
}

std::optional<std::string> ForeignService::Opinion(const std::string& invariant,
                                                   const Path& path) const {
  std::optional<std::string> opinion;
  Ask(
      FORETELL_OPINION,
      [&](Writer& out) {
        out.Blob(invariant);
        out.List(path, [&](const PathStep& step) {
          out.U32(step.node.value());
          WriteEvent(out, step.event);
          out.List(step.choices, [&](uint32_t choice) { out.U32(choice); });
        });
      },
      [&](Reader& in) { opinion = in.Blob("opinion"); });
  return opinion;
}

}  // namespace foretell::model::foreign
