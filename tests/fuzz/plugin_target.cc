// What a service in another language, in a library or in a process, answers.

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <exception>

#include "foretell/model/foreign/carriers/answer.h"
#include "foretell/model/foreign/carriers/child.h"
#include "foretell/model/foreign/service/foreign_family.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using model::NodeId;
namespace foreign = model::foreign;

// Answers with the parts of an input, one after the other: a byte for the code, and the reply.
class FuzzedCarrier final : public foreign::Carrier {
 public:
  explicit FuzzedCarrier(const std::string& bytes) : bytes_(bytes), input_(bytes_) {}
  absl::Status Call(uint32_t, std::string_view, std::string& reply) override {
    if (input_.empty()) return absl::AbortedError("nothing is left to answer with");
    const uint8_t code = input_.Byte() % 8;
    reply = input_.Part();
    return code < 4 ? absl::OkStatus() : foreign::StatusOf(3 - code, reply);
  }
  absl::Status Open(uint32_t, const std::string& request, std::string& reply) override {
    return Call(FORETELL_OPEN, request, reply);
  }
  void Close(uint32_t) override {}

 private:
  const std::string bytes_;
  Input input_;
};

void UseNode(const model::Service& service, NodeId node, const std::string& state) {
  static_cast<void>(service.RenderState(node, state));
  static_cast<void>(service.ValidState(state));
  static_cast<void>(service.Relevant(state));
  for (const std::string& action : service.Actions(node, state)) {
    const model::Event event{model::EventKind::kAction, node, action};
    const uint32_t choices[] = {1, 0};
    static_cast<void>(service.Run(node, state, {&event, 1}, choices));
    static_cast<void>(service.RenderAction(action));
    static_cast<void>(service.Timing(action));
  }
  static_cast<void>(service.Calls(node, state));
  static_cast<void>(service.ParseCall("Propose"));
}

void UseService(const model::System& system) {
  const model::Service& service = *system.service;
  if (service.node_count() == 0) return;
  const NodeId node(0);
  const std::string state = service.InitialState(node);
  for (size_t i = 0; i < std::min<size_t>(service.invariants().size(), 4); ++i) {
    static_cast<void>(service.Project(i, node, state));
  }
  UseNode(service, node, state);
  static_cast<void>(service.Imagine(system.start));
  if (!service.message_kinds().empty()) static_cast<void>(service.MessageKind("message"));
}

}  // namespace

void RunPlugin(const std::string& bytes) {
  const auto connection =
      std::make_shared<foreign::Connection>(std::make_unique<FuzzedCarrier>(bytes), nullptr);
  bool one_thread = false;
  const auto catalog = foreign::DescribeFamilies(connection, "v", one_thread);
  if (!catalog.ok()) return;
  for (const auto& family : *catalog) {
    // Where nothing can fail, a service that does not answer is an exception.
    try {
      const auto system = family->Make(family->scenarios()[0].name, "");
      if (system.ok()) UseService(*system);
    } catch (const std::exception&) {
    }
  }
}

std::vector<std::string> PluginSeeds() {
  using foreign::Writer;
  const auto answer = [](const std::string& reply) { return std::string(1, '\0') + AsPart(reply); };
  const auto text = [](std::initializer_list<const char*> words) {
    Writer out;
    for (const char* const word : words) out.Blob(word);
    return out.Take();
  };
  Writer family;
  family.U32(3);
  family.U32(FORETELL_FAMILY_NAME);
  family.Blob("toy");
  family.U32(FORETELL_FAMILY_SCENARIO);
  family.Blob(text({"fresh", "all is new"}));
  family.U32(FORETELL_FAMILY_PARAMETER);
  Writer parameter;
  parameter.Blob("size");
  parameter.Blob("how many");
  for (const int64_t value : {2, 1, 9}) parameter.I64(value);
  family.Blob(parameter.bytes());
  Writer described;
  described.U32(FORETELL_SERVICE_ABI);
  described.U32(1);
  Writer system;
  system.U32(2);
  system.U32(FORETELL_SYSTEM_NODES);
  Writer two;
  two.U32(2);
  system.Blob(two.bytes());
  system.U32(FORETELL_SYSTEM_INVARIANT);
  Writer invariant;
  invariant.Blob("safe");
  invariant.Blob("Nothing bad.");
  invariant.U32(1);
  invariant.U32(FORETELL_STABLE);
  system.Blob(invariant.bytes());
  Writer state;
  state.Blob("state");
  Writer actions;
  actions.U32(1);
  actions.Blob("go");
  Writer result;
  result.Blob("next");
  for (int list = 0; list < 4; ++list) result.U32(0);
  result.Blob("");
  result.U32(0);
  std::string seed = answer(described.bytes() + family.bytes()) + answer(system.bytes()) +
                     answer(state.bytes()) + answer(state.bytes());
  for (int i = 0; i < 4; ++i) seed += answer(state.bytes()) + answer(actions.bytes());
  return {seed + answer(result.bytes()),
          seed + std::string(1, '\6') + AsPart("the service does not know that")};
}

// The frames of a process that writes the input and ends.
void RunExec(const std::string& bytes) {
  int talk[2];
  int errors[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, talk) != 0) return;
  if (pipe2(errors, O_NONBLOCK | O_CLOEXEC) != 0) return;
  const pid_t pid = fork();
  if (pid < 0) return;
  if (pid == 0) {
    setpgid(0, 0);
    static_cast<void>(!write(talk[1], bytes.data(), bytes.size()));
    static_cast<void>(!write(errors[1], bytes.data(), std::min<size_t>(bytes.size(), 512)));
    _exit(0);
  }
  close(talk[1]);
  close(errors[1]);
  foreign::Child child({.pid = pid, .talk = talk[0], .errors = errors[0]}, {});
  std::string reply;
  // Frames that answer nothing are left over; the second question finds the process gone.
  if (child.Ask(FORETELL_DESCRIBE, "", reply).ok()) {
    static_cast<void>(child.Ask(FORETELL_DESCRIBE, "", reply));
  }
}

std::vector<std::string> ExecSeeds() {
  const auto frame = [](uint32_t code, const std::string& bytes) {
    foreign::Writer out;
    out.U32(static_cast<uint32_t>(bytes.size()));
    out.U32(code);
    return out.Take() + bytes;
  };
  return {frame(0, "an answer"), frame(static_cast<uint32_t>(FORETELL_INTERNAL), "it failed"),
          frame(0, "two") + frame(0, "frames"), "Hello, world!\n"};
}

}  // namespace foretell::fuzz
