#include "foretell/agent/commands/demo.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/demo_folder.h"
#include "foretell/agent/demo/demo_run.h"
#include "foretell/agent/demo/demo_script.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

// Tells the story of one run.
class Narrator {
 public:
  // Draws the first prediction if `draws` says so.
  Narrator(Console& console, const model::Service& service, std::string output, bool draws)
      : console_(console),
        service_(service),
        output_(std::move(output)),
        draws_(draws),
        line_(console) {}

  DemoRun::Watcher Watcher() {
    return {.live = [this](const LiveView& view) { Live(view); },
            .predicted = [this](const SeenPrediction& seen) { See(seen); },
            .vetoed =
                [this](const std::string& filter) {
                  console_.out << "  VETO: " << filter << "\n" << std::flush;
                },
            .called = [this](const Workload::Call& call) { Called(call); },
            .stop = console_.interrupted};
  }
  const std::string& bundle() const { return bundle_; }
  const std::string& picture() const { return picture_; }

 private:
  void Live(const LiveView& view) {
    std::string text = absl::StrCat("  call ", view.calls, "  decided");
    for (const uint64_t count : view.progress) absl::StrAppend(&text, " ", count);
    absl::StrAppend(&text, "  in flight ", view.in_flight, "  vetoes ", view.vetoes, "  round ",
                    view.rounds);
    if (console_.live) {
      line_.Show(text);
    } else if (view.calls >= told_ + kEvery) {
      told_ = view.calls;
      console_.out << text << "\n" << std::flush;
    }
  }

  void Called(const Workload::Call& call) {
    if (!call.answer.starts_with("refused")) return;
    console_.out << "  call at node " << call.node << " " << call.answer << "\n" << std::flush;
  }

  void See(const SeenPrediction& seen) {
    if (seen.steps_away == 0) {
      console_.out << "  VIOLATED after call " << seen.call << ": " << seen.text << "\n";
    } else {
      console_.out << "  PREDICTED after call " << seen.call << ": " << seen.invariant
                   << " can be violated in " << seen.steps_away
                   << (seen.steps_away == 1 ? " step" : " steps") << " if " << seen.imagined
                   << "\n";
      if (draws_ && bundle_.empty()) Draw(seen);
    }
    console_.out << std::flush;
  }

  void Draw(const SeenPrediction& seen) {
    const auto picture = DrawBundle(service_, seen.bundle, output_ + "/predicted.svg", console_);
    if (!picture.ok()) return;
    bundle_ = seen.bundle;
    picture_ = *picture;
  }

  static constexpr uint32_t kEvery = 5;
  Console& console_;
  const model::Service& service_;
  std::string output_;
  bool draws_;
  LiveLine line_;
  uint32_t told_ = 0;
  std::string bundle_;
  std::string picture_;
};

struct Demo {
  DemoScript script;
  uint64_t calls = 0;
  std::string output;
  std::string program;
  const model::Service* service = nullptr;
};

DemoRunOptions OptionsFor(const Demo& demo, const std::string& folder, const std::string& results,
                          const std::string& mode) {
  DemoRunOptions options;
  options.cluster = {.program = demo.program,
                     .folder = folder,
                     .service = demo.script.service,
                     .bug = demo.script.bug,
                     .seed = demo.script.seed,
                     .node_flags = demo.script.node_flags};
  options.workload = {.seed = demo.script.seed, .call = demo.script.call};
  options.agent_config =
      absl::StrCat(PatientPace(kPaxosSteps), results, "[invariants]\ndefault = \"", mode, "\"\n");
  options.calls_max = static_cast<uint32_t>(demo.calls);
  options.judge = demo.service;
  return options;
}

void Summarise(const DemoRunResult& watched, const DemoRunResult& steered, std::ostream& out) {
  constexpr auto kLeft = Table::Align::kLeft;
  Table table({.columns = {{kLeft, 25}, {kLeft, 29}, {kLeft}}, .indent = 2, .gap = 1});
  const auto row = [&table](const std::string& name, const std::string& a, const std::string& b) {
    table.Add({name, a, b});
  };
  const auto violated = [](const DemoRunResult& result) {
    return result.violated ? absl::StrCat("YES, after call ", result.violated->call)
                           : std::string("no");
  };
  const auto predicted = [](const DemoRunResult& result) {
    if (result.predicted.empty()) return std::string("never");
    return absl::StrCat("after call ", result.predicted.front().call, ", ",
                        result.predicted.front().steps_away, " steps away");
  };
  const auto decided = [](const DemoRunResult& result) {
    std::string text;
    for (const uint64_t count : result.last.progress) {
      absl::StrAppend(&text, text.empty() ? "" : " / ", count);
    }
    return text;
  };
  row("", "observe", "enforce");
  row("calls", absl::StrCat(watched.calls), absl::StrCat(steered.calls));
  row("decided, by node", decided(watched), decided(steered));
  row("predicted first", predicted(watched), predicted(steered));
  const auto latest = [](const DemoRunResult& result) {
    if (result.predicted.empty()) return std::string("-");
    uint64_t most = 0;
    for (const SeenPrediction& one : result.predicted) most = std::max(most, one.latency_millis);
    return absl::StrCat(most, " ms");
  };
  row("alerts", absl::StrCat(watched.predicted.size()), absl::StrCat(steered.predicted.size()));
  row("  after the cut, at most", latest(watched), latest(steered));
  row("calls refused", absl::StrCat(watched.refused), absl::StrCat(steered.refused));
  row("events vetoed", absl::StrCat(watched.vetoed), absl::StrCat(steered.vetoed));
  row("  by the immediate check", absl::StrCat(watched.immediate_vetoed),
      absl::StrCat(steered.immediate_vetoed));
  row("violated", violated(watched), violated(steered));
  for (const std::string& line : table.Lines()) out << line << "\n";
}

absl::StatusOr<DemoRunResult> RunMode(const Demo& demo, const DemoFolder& folder,
                                      const std::string& mode, Narrator& narrator) {
  const auto results = FreshResults(demo.output + "/" + mode);
  if (!results.ok()) return results.status();
  DemoRunOptions options = OptionsFor(demo, folder.Folder(mode), *results, mode);
  options.until_violation = mode == "observe";
  auto run = DemoRun::Start(std::move(options));
  if (!run.ok()) return run.status();
  return (*run)->Run(narrator.Watcher());
}

// With another seed than that of the demo itself everything is left to chance.
std::string TryNext(const DemoScript& script) {
  const auto usual = FindDemoScript(script.service, script.bug);
  if (usual.ok() && usual->seed == script.seed) return "another --seed";
  return absl::StrCat("another --seed, more --calls, or leave both away: foretell demo --service ",
                      script.service, " --bug ", script.bug);
}

absl::StatusOr<int> RunBoth(Demo demo, bool keep, Console& console) {
  const DemoFolder folder(keep);
  if (folder.path().empty()) return absl::UnavailableError("no folder for sockets can be made");
  console.out
      << "Three real processes run " << demo.script.service << " with the planted bug "
      << demo.script.bug << ":\n"
      << demo.script.text
      << ".\n30 % of the messages between them are lost. An agent watches; the next call waits "
         "for it.\n\n"
      << "1. observe\n"
      << std::flush;
  Narrator watching(console, *demo.service, demo.output, true);
  const auto watched = RunMode(demo, folder, "observe", watching);
  if (!watched.ok()) return watched.status();
  console.out << "\n2. enforce: the same calls, the same losses\n" << std::flush;
  // Beyond the call after which the first run went wrong.
  demo.calls = std::min<uint64_t>(demo.calls, watched->calls + 10);
  Narrator steering(console, *demo.service, demo.output, false);
  const auto steered = RunMode(demo, folder, "enforce", steering);
  if (!steered.ok()) return steered.status();
  console.out << "\n";
  Summarise(*watched, *steered, console.out);
  if (!watching.bundle().empty()) {
    console.out << "\nSee it again:     foretell replay " << ShellWord(watching.bundle())
                << "\nAs a picture:     " << watching.picture()
                << "\nAll of its cuts:  foretell replay "
                << ShellWord(demo.output + "/observe/cuts.ftl")
                << "\nWhat was vetoed:  " << demo.output << "/enforce/audit.jsonl\n";
  }
  if (keep) console.out << "Sockets and logs:  " << folder.path() << "\n";
  if (steered->violated) return kExitViolation;
  const Shown shown{.violated = watched->violated.has_value(),
                    .predicted = !watched->predicted.empty()};
  return ConcludeDemo(shown, TryNext(demo.script), console);
}

// Runs the cluster twice, watched and steered, and shows the difference. Returns kExitNothing if
// the watched run was seen and went wrong and the steered one did not, kExitViolation if the
// steered one did, kExitIncomplete if nothing was to be seen.
int RunDemo(const DemoArgs& args, const Parts& parts, Console& console) {
  auto script = FindDemoScript(args.service, args.bug);
  if (!script.ok()) return Fail(console, script.status());
  const auto calls = ParseCount(args.calls);
  if (!calls.ok()) return Fail(console, calls.status());
  if (!args.seed.empty()) {
    const auto seed = ParseCount(args.seed, 0);
    if (!seed.ok()) return Fail(console, seed.status());
    script->seed = *seed;
  }
  std::error_code error;
  fs::create_directories(args.output, error);
  if (error) {
    return Fail(console, absl::UnavailableError(
                             absl::StrCat("--output ", args.output, ": ", error.message())));
  }
  const auto selection = Select(parts.catalog, script->service, script->scenario, script->bug);
  if (!selection.ok()) return Fail(console, selection.status());
  if (script->story) {
    const auto run = script->service == "raft"       ? RunRaftDemo
                     : script->service == "register" ? RunRegisterDemo
                                                     : RunTransportDemo;
    const auto code = run(*selection->system.service, args, script->seed, console);
    return code.ok() ? *code : Fail(console, code.status());
  }
  const auto code = RunBoth({.script = *script,
                             .calls = *calls,
                             .output = args.output,
                             .program = fs::read_symlink("/proc/self/exe", error).string(),
                             .service = selection->system.service.get()},
                            args.keep, console);
  return code.ok() ? *code : Fail(console, code.status());
}

}  // namespace

Command AddDemo(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("demo", "Watch a real cluster go wrong, then steer it away, in a minute");
  std::string demos = "There is:\n";
  for (const DemoScript& script : DemoScripts()) {
    absl::StrAppend(&demos, "  --service ", script.service, script.bug.empty() ? "" : " --bug ",
                    script.bug, "\n      ", script.text, "\n");
  }
  app->footer(absl::StrCat(
      demos,
      "\nExit code: 0 seen, and prevented by steering; 1 not prevented; 2 bad usage or input;\n"
      "3 the bug did not show, or was not seen: try another --seed; 130 interrupted.\n\n"
      "Example:\n  foretell demo --service paxos --bug first-value"));
  auto args = std::make_shared<DemoArgs>();
  app->add_option("--service", args->service, "Which service; default paxos")->type_name("NAME");
  app->add_option("--bug", args->bug, "Which bug; default: the first of the service")
      ->type_name("NAME");
  app->add_option("--seed", args->seed,
                  "Of losses, delays and calls; default: one that shows the bug soon")
      ->type_name("N");
  app->add_option("--calls", args->calls, "At most so many in each run; default 60")
      ->type_name("N");
  app->add_option("--output", args->output, "For the bundle, the picture and the archives")
      ->type_name("FOLDER");
  app->add_flag("--keep", args->keep, "Keep the folder with sockets and logs");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts& parts, Console& console) { return RunDemo(*args, parts, console); }};
}

}  // namespace foretell::agent
