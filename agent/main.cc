#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "foretell/agent/check/found_plugins.h"
#include "foretell/agent/commands/command_line.h"
#include "foretell/agent/console/interrupt.h"
#include "foretell/agent/guard/guard.h"
#include "foretell/integration/catalog.h"
#include "foretell/predictors/engines.h"

namespace {

bool Escapes(int file) {
  return foretell::agent::TakesEscapes(isatty(file) != 0, std::getenv("TERM"));
}

foretell::agent::TerminalStyle StyleOf(int file, bool utf8) {
  foretell::agent::TerminalStyle style{.utf8 = utf8};
  if (isatty(file) == 0) return style;
  style.colour = Escapes(file) && std::getenv("NO_COLOR") == nullptr;
  struct winsize size = {};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.columns = size.ws_col;
  return style;
}

}  // namespace

int main(int argc, char** argv) {
  using foretell::agent::Console;
  using foretell::agent::Parts;
  // A limit on the size of files is an error of whoever writes, as a full disk is; by default it
  // would end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  // Only for what the terminal can show; numbers are written the same everywhere.
  std::setlocale(LC_CTYPE, "");
  const bool utf8 = std::string(nl_langinfo(CODESET)) == "UTF-8";
  Parts parts{foretell::integration::BuiltinServices(), foretell::predictors::AllEngines()};
  foretell::agent::AppendFound(foretell::agent::PluginFolders(), parts.catalog);
  Console console{.out = std::cout,
                  .err = std::cerr,
                  .out_style = StyleOf(STDOUT_FILENO, utf8),
                  .err_style = StyleOf(STDERR_FILENO, utf8),
                  .live = Escapes(STDERR_FILENO),
                  .now = [] { return std::chrono::steady_clock::now(); },
                  .interrupted = [] { return foretell::agent::Interrupted(); }};
  const foretell::agent::Guard guard({.interrupted = foretell::agent::InterruptSeen,
                                      .utf8 = utf8,
                                      .erase_line = Escapes(STDERR_FILENO)});
  const int code = foretell::agent::RunForetell({argv + 1, argv + argc}, parts, console);
  if (!std::cout.flush()) {
    std::cerr << "foretell: cannot write to standard output\n";
    return foretell::agent::kExitUsage;
  }
  return code;
}
