// Plays inputs to a target in any build: the seeds, the corpus, and so many changed ones, which are
// the same on every machine. For coverage as a guide there is the preset `fuzz`.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "foretell/tests/fuzz/mutation.h"
#include "foretell/tests/fuzz/target.h"

namespace foretell::fuzz {
namespace {

constexpr const char* kUsage =
    "usage: PROGRAM TARGET [FILE|FOLDER...] [--changed N]\n"
    "       PROGRAM TARGET --seeds FOLDER\n"
    "       PROGRAM --list\n";
constexpr rlim_t kMemoryMax = rlim_t{2} << 30;

// What is played now, for whoever finds out that it crashes.
char playing[4096] = "";

void Name(const std::string& what) {
  std::memcpy(playing, what.data(), std::min(what.size(), sizeof(playing) - 1));
  playing[std::min(what.size(), sizeof(playing) - 1)] = '\0';
}

extern "C" void TellAndDie(int signal) {
  static_cast<void>(!write(STDERR_FILENO, playing, std::strlen(playing)));
  static_cast<void>(!write(STDERR_FILENO, "\n", 1));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

int WriteSeeds(const Target& target, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  size_t number = 0;
  for (const std::string& seed : target.seeds()) {
    std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
  }
  return 0;
}

int Play(const Target& target, const std::vector<std::string>& paths, uint64_t changed) {
  std::vector<std::string> inputs = target.seeds();
  for (size_t i = 0; i < inputs.size(); ++i) {
    Name(std::string(target.name) + ", seed " + std::to_string(i));
    target.run(inputs[i]);
  }
  for (const std::string& path : paths) {
    for (const std::filesystem::path& file : FilesOf(path)) {
      Name(std::string(target.name) + ", file " + file.string());
      inputs.push_back(ReadAll(file));
      target.run(inputs.back());
    }
  }
  const Mutations mutations(inputs);
  for (uint64_t number = 0; number < changed; ++number) {
    Name(std::string(target.name) + ", changed input " + std::to_string(number));
    target.run(mutations.At(number));
  }
  std::cout << target.name << ": " << inputs.size() << " inputs and " << changed << " changed\n";
  return 0;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--list"}) {
    for (const Target& target : AllTargets()) std::cout << target.name << "\n";
    return 0;
  }
  const Target* const target = arguments.empty() ? nullptr : FindTarget(arguments[0]);
  if (target == nullptr) {
    std::cerr << kUsage;
    return 2;
  }
  std::vector<std::string> paths;
  uint64_t changed = 0;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const bool more = i + 1 < arguments.size();
    if (arguments[i] == "--seeds" && more) return WriteSeeds(*target, arguments[i + 1]);
    if (arguments[i] == "--changed" && more) {
      changed = std::strtoull(arguments[++i].c_str(), nullptr, 10);
    } else {
      paths.push_back(arguments[i]);
    }
  }
  return Play(*target, paths, changed);
}

}  // namespace
}  // namespace foretell::fuzz

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGALRM, SIGTERM}) {
    std::signal(signal, foretell::fuzz::TellAndDie);
  }
  std::signal(SIGPIPE, SIG_IGN);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // What asks for more than any input is worth gets none.
  const rlimit limit{foretell::fuzz::kMemoryMax, foretell::fuzz::kMemoryMax};
  setrlimit(RLIMIT_AS, &limit);
#endif
  return foretell::fuzz::Main({argv + 1, argv + argc});
}
