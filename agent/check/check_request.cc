#include "foretell/agent/check/check_request.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/check_options.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

using predictors::Engine;

// Null if it was not given.
const std::string* Given(const CheckWords& words, const CheckOption& option) {
  const auto found = words.options.find(option.flag);
  if (found == words.options.end()) return nullptr;
  return found->second.empty() && !option.metavar.empty() ? nullptr : &found->second;
}

// What is written last would be all there is.
absl::Status CheckOutputs(const CheckRequest& request) {
  std::map<std::string, std::string> flags;  // By place.
  for (const auto& [flag, place] : request.outputs) {
    if (place.empty()) continue;
    const auto [other, fresh] = flags.emplace(place, flag);
    if (fresh) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        flag, " and ", other->second, " both write to ",
        place == "-" ? std::string("standard output") : absl::StrCat("'", place, "'")));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CheckRequest> ReadRequest(const CheckWords& words) {
  CheckRequest request{.service = words.service};
  for (const CheckOption& option : CheckOptions()) {
    const std::string* const value = Given(words, option);
    if (value == nullptr) continue;
    const absl::Status read = option.read(*value, request);
    if (read.ok()) continue;
    return absl::Status(read.code(), absl::StrCat(option.flag, ": ", std::string(read.message())));
  }
  if (absl::Status apart = CheckOutputs(request); !apart.ok()) return apart;
  return request;
}

absl::Status CheckAccepted(const CheckWords& words, const Engine& engine,
                           const std::vector<Engine>& engines) {
  for (const CheckOption& option : CheckOptions()) {
    if (Takes(engine, option) || Given(words, option) == nullptr) continue;
    const std::vector<std::string> others = EnginesTaking(option, true, engines);
    return absl::InvalidArgumentError(
        absl::StrCat(option.flag, " means nothing to engine ", engine.name,
                     others.empty() ? "" : absl::StrCat(", but to ", absl::StrJoin(others, ", "))));
  }
  return absl::OkStatus();
}

void DropUntaken(const Engine& engine, CheckWords& words) {
  for (const CheckOption& option : CheckOptions()) {
    if (!Takes(engine, option)) words.options.erase(option.flag);
  }
}

std::string CommandLine(const CheckWords& words) {
  std::string line = absl::StrCat("foretell check ", ShellWord(words.service));
  size_t known = 0;
  for (const CheckOption& option : CheckOptions()) {
    known += words.options.count(option.flag);
    const std::string* const value = Given(words, option);
    if (!option.finds || value == nullptr) continue;
    absl::StrAppend(&line, " ", option.flag);
    if (!option.metavar.empty()) absl::StrAppend(&line, " ", ShellWord(*value));
  }
  FORETELL_CHECK(known == words.options.size());
  for (const std::string& plugin : words.plugins) {
    absl::StrAppend(&line, " --plugin ", ShellWord(plugin));
  }
  return line;
}

}  // namespace foretell::agent
