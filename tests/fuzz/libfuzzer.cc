// What libFuzzer calls. The target is named by --target=NAME, which libFuzzer passes over.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "foretell/tests/fuzz/target.h"

namespace {

const foretell::fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";
  std::signal(SIGPIPE, SIG_IGN);
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument.starts_with(kOption)) {
      target = foretell::fuzz::FindTarget(argument.substr(kOption.size()));
    }
  }
  if (target == nullptr) {
    std::cerr << "name a target: --target=NAME\n";
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
