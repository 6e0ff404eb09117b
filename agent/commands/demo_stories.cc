// Stories that an agent watches and then steers, told by real processes whose time waits for it.

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/demo.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/demo/demo_folder.h"
#include "foretell/agent/demo/register_demo.h"
#include "foretell/agent/demo/transport_demo.h"

namespace foretell::agent {
namespace {

// One run of a story.
template <class Demo, class Options>
auto RunMode(const DemoFolder& folder, const DemoArgs& args, uint64_t seed, const std::string& mode,
             Console& console) -> decltype(Demo::Run(Options())) {
  auto config = FreshResults(args.output + "/" + mode);
  if (!config.ok()) return config.status();
  std::error_code error;
  Options options;
  options.program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  options.folder = folder.Folder(mode);
  options.seed = seed;
  options.mode = mode;
  options.agent_config = *std::move(config);
  options.tell = [&console](const std::string& line) {
    console.out << "  " << line << "\n" << std::flush;
  };
  return Demo::Run(std::move(options));
}

// The words around the two runs, and how they are judged.
template <class Result>
struct Telling {
  const char* intro;
  const char* again;  // What both runs have in common.
  void (*rows)(const Result& watched, const Result& steered, Table& table);
  bool (*went_wrong)(const Result& result);
};

template <class Result>
std::string PredictedText(const Result& result) {
  if (!result.predicted) return "-";
  return absl::StrCat("yes, ", result.predicted->steps_away, " steps away");
}

template <class Result>
void Summarise(const Telling<Result>& telling, const Result& watched, const Result& steered,
               std::ostream& out) {
  constexpr auto kLeft = Table::Align::kLeft;
  Table table({.columns = {{kLeft, 25}, {kLeft, 19}, {kLeft}}, .indent = 2, .gap = 1});
  table.Add({"", "observe", "enforce"});
  table.Add({"predicted", PredictedText(watched), PredictedText(steered)});
  table.Add({"events vetoed", absl::StrCat(watched.vetoed), absl::StrCat(steered.vetoed)});
  telling.rows(watched, steered, table);
  out << "\n";
  for (const std::string& line : table.Lines()) out << line << "\n";
}

template <class Demo, class Options, class Result>
absl::StatusOr<int> Tell(const Telling<Result>& telling, const model::Service& service,
                         const DemoArgs& args, uint64_t seed, Console& console) {
  const DemoFolder folder(args.keep);
  if (folder.path().empty()) return absl::UnavailableError("no folder for sockets can be made");
  console.out << telling.intro << "\n1. observe\n" << std::flush;
  const auto watched = RunMode<Demo, Options>(folder, args, seed, "observe", console);
  if (!watched.ok()) return watched.status();
  std::string picture;
  if (watched->predicted) {
    const auto drawn =
        DrawBundle(service, watched->predicted->bundle, args.output + "/predicted.svg", console);
    if (drawn.ok()) picture = *drawn;
  }
  console.out << "2. enforce: the same " << telling.again << "\n" << std::flush;
  const auto steered = RunMode<Demo, Options>(folder, args, seed, "enforce", console);
  if (!steered.ok()) return steered.status();
  Summarise(telling, *watched, *steered, console.out);
  if (watched->predicted) {
    console.out << "\nSee it again:     foretell replay " << ShellWord(watched->predicted->bundle)
                << "\nStep by step:     foretell debug " << ShellWord(watched->predicted->bundle)
                << "\nAs a picture:     " << picture << "\nWhat was vetoed:  " << args.output
                << "/enforce/audit.jsonl\n";
  }
  if (telling.went_wrong(*steered)) return kExitViolation;
  return ConcludeDemo({.violated = telling.went_wrong(*watched),
                       .predicted = watched->predicted.has_value()},
                      "another --seed", console);
}

std::string DeathText(const TransportDemoResult& result) {
  return result.dead ? "DEAD, proved" : "alive";
}
std::string DeliveredText(const TransportDemoResult& result) {
  return absl::StrCat(result.delivered, " of ", result.submitted, " submitted");
}
std::string StaleText(const RegisterDemoResult& result) {
  return absl::StrCat(result.stale, " of ", result.reads);
}

}  // namespace

absl::StatusOr<int> RunTransportDemo(const model::Service& service, const DemoArgs& args,
                                     uint64_t seed, Console& console) {
  using Result = TransportDemoResult;
  const Telling<Result> telling = {
      "Two real processes run a transport over datagrams, in which an old SYN opens a "
      "connection.\nTheir time waits for the agent.\n",
      "delays",
      [](const Result& watched, const Result& steered, Table& table) {
        table.Add({"all-acked", DeathText(watched), DeathText(steered)});
        table.Add({"batches delivered", DeliveredText(watched), DeliveredText(steered)});
      },
      [](const Result& result) { return result.dead || result.delivered < result.submitted; }};
  return Tell<TransportDemo, TransportDemoOptions>(telling, service, args, seed, console);
}

absl::StatusOr<int> RunRegisterDemo(const model::Service& service, const DemoArgs& args,
                                    uint64_t seed, Console& console) {
  using Result = RegisterDemoResult;
  const Telling<Result> telling = {
      "Four real processes are a replicated register: a client, whose reads are content with one\n"
      "answer, and three replicas. Their time waits for the agent.\n",
      "network",
      [](const Result& watched, const Result& steered, Table& table) {
        table.Add({"reads refused", absl::StrCat(watched.refused), absl::StrCat(steered.refused)});
        table.Add({"reads that missed a write", StaleText(watched), StaleText(steered)});
      },
      [](const Result& result) { return result.stale > 0; }};
  return Tell<RegisterDemo, RegisterDemoOptions>(telling, service, args, seed, console);
}

}  // namespace foretell::agent
