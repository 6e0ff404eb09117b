#include <filesystem>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/demo.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/demo/demo_folder.h"
#include "foretell/agent/demo/raft_demo.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

struct Setting {
  const DemoFolder& folder;
  std::string program;
  std::string output;
  uint64_t seed;
  Console& console;
};

absl::StatusOr<RaftDemoResult> RunMode(const Setting& demo, const std::string& mode) {
  const std::string name = mode.empty() ? "alone" : mode;
  auto config = FreshResults(demo.output + "/" + name);
  if (!config.ok()) return config.status();
  RaftDemoOptions options{.program = demo.program,
                          .folder = demo.folder.Folder(name),
                          .seed = demo.seed,
                          .mode = mode,
                          .agent_config = *std::move(config),
                          .tell = [&demo](const std::string& line) {
                            demo.console.out << "  " << line << "\n" << std::flush;
                          }};
  // The early warning would be found first; here it is the loss itself that is to be seen.
  if (mode == "observe") options.off = "match-is-held";
  return RaftDemo::Run(std::move(options));
}

void Summarise(const RaftDemoResult& alone, const RaftDemoResult& watched,
               const RaftDemoResult& steered, std::ostream& out) {
  constexpr auto kLeft = Table::Align::kLeft;
  Table table({.columns = {{kLeft, 25}, {kLeft, 19}, {kLeft, 19}, {kLeft}}, .indent = 2, .gap = 1});
  const auto row = [&](const char* name, auto&& value) {
    table.Add({name, value(alone), value(watched), value(steered)});
  };
  table.Add({"", "no agent", "observe", "enforce"});
  row("predicted", [](const RaftDemoResult& r) {
    if (r.predicted.empty()) return std::string("-");
    return absl::StrCat("yes, ", r.predicted.begin()->second.steps_away, " steps away");
  });
  row("events vetoed", [](const RaftDemoResult& r) { return absl::StrCat(r.vetoed); });
  row("paid=yes acknowledged",
      [](const RaftDemoResult& r) { return std::string(r.acknowledged ? "yes" : "no"); });
  row("acknowledged write lost",
      [](const RaftDemoResult& r) { return std::string(r.lost ? "YES" : "no"); });
  row("writes at the end",
      [](const RaftDemoResult& r) { return std::string(r.goes_on ? "taken" : "not taken"); });
  out << "\n";
  for (const std::string& line : table.Lines()) out << line << "\n";
}

}  // namespace

absl::StatusOr<int> RunRaftDemo(const model::Service& service, const DemoArgs& args, uint64_t seed,
                                Console& console) {
  const DemoFolder folder(args.keep);
  if (folder.path().empty()) return absl::UnavailableError("no folder for sockets can be made");
  std::error_code error;
  const Setting demo{folder, fs::read_symlink("/proc/self/exe", error).string(), args.output, seed,
                     console};
  console.out
      << "Three real processes run a key-value store on libraft as Debian ships it, with its "
         "logs on disk.\nTheir time waits for the agent, where there is one.\n\n1. no agent\n"
      << std::flush;
  const auto alone = RunMode(demo, "");
  if (!alone.ok()) return alone.status();
  console.out << "\n2. observe: the same partition, the same delays\n" << std::flush;
  const auto watched = RunMode(demo, "observe");
  if (!watched.ok()) return watched.status();
  std::string bundle;
  std::string picture;
  if (!watched->predicted.empty()) {
    bundle = watched->predicted.begin()->second.bundle;
    const auto drawn = DrawBundle(service, bundle, args.output + "/predicted.svg", console);
    if (drawn.ok()) picture = *drawn;
  }
  console.out << "3. enforce: once more\n" << std::flush;
  const auto steered = RunMode(demo, "enforce");
  if (!steered.ok()) return steered.status();
  Summarise(*alone, *watched, *steered, console.out);
  if (!bundle.empty()) {
    console.out << "\nSee it again:     foretell replay " << ShellWord(bundle)
                << "\nAs a picture:     " << picture << "\n";
  }
  if (steered->lost) return kExitViolation;
  return ConcludeDemo({.violated = alone->lost, .predicted = !watched->predicted.empty()},
                      "another --seed", console);
}

}  // namespace foretell::agent
