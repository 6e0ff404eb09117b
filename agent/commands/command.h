#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace CLI {
class App;
}

namespace foretell::agent {

// A command: its options, and what runs once they are read. To add one, write it in a file NAME.cc
// that ends in its Add function, declare that below and name it in AddCommands (command_line.cc).
struct Command {
  CLI::App* app;
  std::shared_ptr<std::vector<std::string>> plugins;  // Never null; loaded before `run`.
  std::function<int(const Parts&, Console&)> run;
};

Command AddNew(CLI::App& root, const Parts& parts);
Command AddServices(CLI::App& root, const Parts& parts);
Command AddCheck(CLI::App& root, const Parts& parts);
Command AddDoctor(CLI::App& root, const Parts& parts);
Command AddExplain(CLI::App& root, const Parts& parts);
Command AddDebug(CLI::App& root, const Parts& parts);
Command AddSnapshots(CLI::App& root, const Parts& parts);
Command AddNode(CLI::App& root, const Parts& parts);
Command AddReplay(CLI::App& root, const Parts& parts);
Command AddPlan(CLI::App& root, const Parts& parts);
Command AddAgent(CLI::App& root, const Parts& parts);
Command AddValidate(CLI::App& root, const Parts& parts);
Command AddDemo(CLI::App& root, const Parts& parts);
Command AddKv(CLI::App& root, const Parts& parts);
// A live node, at its client port: do this, and how are you?
Command AddCall(CLI::App& root, const Parts& parts);
Command AddAsk(CLI::App& root, const Parts& parts);
Command AddSelftest(CLI::App& root, const Parts& parts);

std::shared_ptr<std::vector<std::string>> AddPluginOption(CLI::App& app);

}  // namespace foretell::agent
