#include "foretell/integration/sdk/values/faults.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/integration/sdk/values/random.h"

namespace foretell::integration::sdk {
namespace {

using std::chrono::microseconds;

constexpr microseconds kDelayMax = std::chrono::seconds(60);
constexpr microseconds kReorderDelay = std::chrono::milliseconds(10);

absl::Status Bad(const std::string& key, const std::string& value, const std::string& right) {
  return absl::InvalidArgumentError(absl::StrCat("fault ", key, "=", value, ": ", right));
}

// The whole of `text` as a number.
template <class T>
bool ParseNumber(const std::string& text, T& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

absl::Status ParseProbability(const std::string& key, const std::string& value, double& out) {
  double number = 0;
  if (!ParseNumber(value, number) || !(number >= 0 && number <= 1)) {
    return Bad(key, value, "write a probability from 0 to 1, like 0.3");
  }
  out = number;
  return absl::OkStatus();
}

bool ParseDelay(std::string text, microseconds& out) {
  double factor = 0;
  for (const auto& [unit, micros] : {std::pair("us", 1.0), std::pair("ms", 1e3)}) {
    if (factor == 0 && text.ends_with(unit)) factor = micros, text.resize(text.size() - 2);
  }
  if (factor == 0 && text.ends_with("s")) factor = 1e6, text.pop_back();
  double number = 0;
  if (!ParseNumber(text, number) || !(number >= 0)) return false;
  if (factor == 0 && number != 0) return false;
  const double micros = number * factor;
  if (!(micros <= static_cast<double>(kDelayMax.count()))) return false;
  out = microseconds(static_cast<int64_t>(micros));
  return true;
}

absl::Status ParseDelays(const std::string& value, Faults& faults) {
  const size_t dots = value.find("..");
  const std::string low = value.substr(0, dots);
  const std::string high = dots == std::string::npos ? low : value.substr(dots + 2);
  microseconds least{0};
  microseconds most{0};
  if (!ParseDelay(low, least) || !ParseDelay(high, most) || least > most) {
    return Bad("delay", value, "write it like 5ms or 1ms..20ms (units: us, ms, s; at most 60s)");
  }
  faults.delay_min = least;
  faults.delay_max = most;
  return absl::OkStatus();
}

absl::Status ParsePartition(const std::string& value, uint32_t node_count, Faults& faults) {
  std::set<uint32_t> peers;
  const std::vector<std::string> words = absl::StrSplit(value, ',', absl::SkipEmpty());
  for (const std::string& word : words) {
    uint32_t peer = 0;
    if (!ParseNumber(word, peer) || peer >= node_count) {
      return Bad("partition", value, absl::StrCat("write nodes from 0 to ", node_count - 1));
    }
    peers.insert(peer);
  }
  faults.partition = std::move(peers);
  return absl::OkStatus();
}

absl::Status ParseWord(const std::string& word, uint32_t node_count, Faults& faults) {
  const size_t equals = word.find('=');
  const std::string key = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (word == "off") {
    faults = Faults{.seed = faults.seed};
    return absl::OkStatus();
  }
  if (key == "loss") return ParseProbability(key, value, faults.loss);
  if (key == "duplicate") return ParseProbability(key, value, faults.duplicate);
  if (key == "reorder") return ParseProbability(key, value, faults.reorder);
  if (key == "delay") return ParseDelays(value, faults);
  if (key == "partition") return ParsePartition(value, node_count, faults);
  if (key == "seed") {
    if (ParseNumber(value, faults.seed)) return absl::OkStatus();
    return Bad(key, value, "write a whole number");
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown fault '", word,
      "': there are loss, delay, duplicate, reorder, partition, seed (each KEY=VALUE) and off"));
}

}  // namespace

absl::StatusOr<Faults> ParseFaults(const std::string& words, Faults start, uint32_t node_count) {
  const std::vector<std::string> list = absl::StrSplit(words, ' ', absl::SkipEmpty());
  for (const std::string& word : list) {
    const absl::Status status = ParseWord(word, node_count, start);
    if (!status.ok()) return status;
  }
  return start;
}

std::string ToString(const Faults& faults) {
  return absl::StrCat("loss=", faults.loss, " delay=", faults.delay_min.count(), "us..",
                      faults.delay_max.count(), "us duplicate=", faults.duplicate,
                      " reorder=", faults.reorder,
                      " partition=", absl::StrJoin(faults.partition, ","), " seed=", faults.seed);
}

Departures Decide(const Faults& faults, model::NodeId from, model::NodeId to, uint64_t seq) {
  Random random(Mix(Mix(Mix(faults.seed) ^ model::PairKey(from.value(), to.value())) ^ seq));
  // Always drawn, in a fixed order: switching one fault on leaves the decisions of others as they
  // were.
  const double loss = Fraction(random.Next());
  const double duplicate = Fraction(random.Next());
  const double reorder = Fraction(random.Next());
  if (faults.Cut(to) || loss < faults.loss) return {};
  const microseconds range = faults.delay_max - faults.delay_min;
  Departures departures;
  for (int copies = duplicate < faults.duplicate ? 2 : 1; copies > 0; --copies) {
    const double part = Fraction(random.Next());
    departures.push_back(faults.delay_min + microseconds(static_cast<int64_t>(
                                                part * static_cast<double>(range.count()))));
  }
  if (reorder < faults.reorder) {
    departures.front() += faults.delay_max.count() > 0 ? faults.delay_max : kReorderDelay;
  }
  return departures;
}

}  // namespace foretell::integration::sdk
