#include <filesystem>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/demo.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/demo/demo_folder.h"
#include "foretell/agent/demo/transport_demo.h"

namespace foretell::agent {
namespace {

absl::StatusOr<TransportDemoResult> RunMode(const DemoFolder& folder, const DemoArgs& args,
                                            uint64_t seed, const std::string& mode,
                                            Console& console) {
  auto config = FreshResults(args.output + "/" + mode);
  if (!config.ok()) return config.status();
  std::error_code error;
  return TransportDemo::Run(
      {.program = std::filesystem::read_symlink("/proc/self/exe", error).string(),
       .folder = folder.Folder(mode),
       .seed = seed,
       .mode = mode,
       .agent_config = *std::move(config),
       .tell = [&console](const std::string& line) {
         console.out << "  " << line << "\n" << std::flush;
       }});
}

void Summarise(const TransportDemoResult& watched, const TransportDemoResult& steered,
               std::ostream& out) {
  constexpr auto kLeft = Table::Align::kLeft;
  Table table({.columns = {{kLeft, 25}, {kLeft, 19}, {kLeft}}, .indent = 2, .gap = 1});
  const auto row = [&](const char* name, auto&& value) {
    table.Add({name, value(watched), value(steered)});
  };
  table.Add({"", "observe", "enforce"});
  row("predicted", [](const TransportDemoResult& r) {
    if (!r.predicted) return std::string("-");
    return absl::StrCat("yes, ", r.predicted->steps_away, " steps away");
  });
  row("events vetoed", [](const TransportDemoResult& r) { return absl::StrCat(r.vetoed); });
  row("all-acked",
      [](const TransportDemoResult& r) { return std::string(r.dead ? "DEAD, proved" : "alive"); });
  row("batches delivered", [](const TransportDemoResult& r) {
    return absl::StrCat(r.delivered, " of ", r.submitted, " submitted");
  });
  out << "\n";
  for (const std::string& line : table.Lines()) out << line << "\n";
}

}  // namespace

absl::StatusOr<int> RunTransportDemo(const model::Service& service, const DemoArgs& args,
                                     uint64_t seed, Console& console) {
  const DemoFolder folder(args.keep);
  if (folder.path().empty()) return absl::UnavailableError("no folder for sockets can be made");
  console.out << "Two real processes run a transport over datagrams, in which an old SYN opens a "
                 "connection.\nTheir time waits for the agent.\n\n1. observe\n"
              << std::flush;
  const auto watched = RunMode(folder, args, seed, "observe", console);
  if (!watched.ok()) return watched.status();
  std::string picture;
  if (watched->predicted) {
    const auto drawn =
        DrawBundle(service, watched->predicted->bundle, args.output + "/predicted.svg", console);
    if (drawn.ok()) picture = *drawn;
  }
  console.out << "2. enforce: the same delays\n" << std::flush;
  const auto steered = RunMode(folder, args, seed, "enforce", console);
  if (!steered.ok()) return steered.status();
  Summarise(*watched, *steered, console.out);
  if (watched->predicted) {
    console.out << "\nSee it again:     foretell replay " << ShellWord(watched->predicted->bundle)
                << "\nStep by step:     foretell debug " << ShellWord(watched->predicted->bundle)
                << "\nAs a picture:     " << picture << "\nWhat was vetoed:  " << args.output
                << "/enforce/audit.jsonl\n";
  }
  if (steered->dead || steered->delivered < steered->submitted) return kExitViolation;
  return ConcludeDemo({.violated = watched->dead, .predicted = watched->predicted.has_value()},
                      "another --seed", console);
}

}  // namespace foretell::agent
