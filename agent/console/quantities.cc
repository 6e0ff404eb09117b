#include "foretell/agent/console/quantities.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

struct Unit {
  const char* name;
  double factor;
};

constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}};
constexpr double kMebi = 1024.0 * 1024;
constexpr Unit kSizeUnits[] = {{"KB", 1e3},    {"KiB", 1024},        {"MB", 1e6},
                               {"MiB", kMebi}, {"GB", 1e9},          {"GiB", kMebi * 1024},
                               {"TB", 1e12},   {"TiB", kMebi* kMebi}};

// What a kind of quantity allows, in its smallest unit and in words.
struct Range {
  const char* what;
  std::span<const Unit> units;
  double least;
  double most;
  const char* least_text;
  const char* most_text;
  const char* example;
};

constexpr Range kDurations = {
    "duration", kTimeUnits, 1, 365 * 24 * 3600e3, "1ms", "8760h", "10s (units: ms, s, m, h)"};
constexpr Range kSizes = {"size",
                          kSizeUnits,
                          kMebi,
                          kMebi* kMebi * 1024,
                          "1MiB",
                          "1024TiB",
                          "4GiB (units: KB, KiB, MB, MiB, GB, GiB, TB, TiB)"};

absl::StatusOr<double> ParseQuantity(const std::string& text, const Range& range) {
  const auto bad = [&](const std::string& why) {
    return absl::InvalidArgumentError(
        absl::StrCat("impossible ", range.what, " '", text, "': ", why));
  };
  if (!text.empty() && text.front() == '-') return bad("it must be more than zero");
  double number = 0;
  const char* const end = text.data() + text.size();
  // The first character keeps out "inf" and "nan", which from_chars would take.
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (!digit || error == std::errc::invalid_argument) {
    return bad(absl::StrCat("write it like ", range.example));
  }
  const std::string unit(rest, end);
  if (unit.empty()) return bad(absl::StrCat("it needs a unit, like ", range.example));
  for (const Unit& known : range.units) {
    if (unit != known.name) continue;
    const double value = number * known.factor;
    if (error == std::errc() && value == 0) return bad("it must be more than zero");
    if (error == std::errc() && value < range.least) {
      return bad(absl::StrCat("the least is ", range.least_text));
    }
    if (error != std::errc() || value > range.most) {
      return bad(absl::StrCat("the most is ", range.most_text));
    }
    return value;
  }
  return bad(absl::StrCat("unknown unit '", unit, "', write it like ", range.example));
}

// By the largest unit without a fraction; the smallest if there is none.
std::string QuantityText(uint64_t quantity, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (quantity % static_cast<uint64_t>(unit.factor) == 0) best = &unit;
  }
  return absl::StrCat(quantity / static_cast<uint64_t>(best->factor), best->name);
}

std::string Rounded(double value, const char* unit) {
  std::array<char, 48> buffer;
  const char* const format = value < 9.995 ? "%.2f%s" : value < 99.95 ? "%.1f%s" : "%.0f%s";
  std::snprintf(buffer.data(), buffer.size(), format, value, unit);
  return buffer.data();
}

}  // namespace

absl::StatusOr<std::chrono::milliseconds> ParseDuration(const std::string& text) {
  const absl::StatusOr<double> value = ParseQuantity(text, kDurations);
  if (!value.ok()) return value.status();
  return std::chrono::milliseconds(std::llround(*value));
}

absl::StatusOr<uint64_t> ParseSize(const std::string& text) {
  const absl::StatusOr<double> value = ParseQuantity(text, kSizes);
  if (!value.ok()) return value.status();
  return static_cast<uint64_t>(*value);
}

absl::StatusOr<uint64_t> ParseCount(const std::string& text, uint64_t least) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= least) return value;
  return absl::InvalidArgumentError(absl::StrCat(
      "impossible number '", text, "': write a whole number from ", least, " to ", UINT64_MAX));
}

std::string DurationText(std::chrono::milliseconds duration) {
  return QuantityText(static_cast<uint64_t>(duration.count()), kTimeUnits);
}

std::string SizeText(uint64_t bytes) { return QuantityText(bytes, kSizeUnits); }

std::string FormatCount(uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string ShortCount(uint64_t count) {
  const auto value = static_cast<double>(count);
  if (count < 1000) return std::to_string(count);
  if (count < 999'500) return Rounded(value / 1e3, " k");
  if (count < 999'500'000) return Rounded(value / 1e6, " M");
  return Rounded(value / 1e9, " G");
}

std::string FormatBytes(uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value < 1024) return absl::StrCat(bytes, " B");
  if (value < kMebi) return Rounded(value / 1024, " KiB");
  if (value < kMebi * 1024) return Rounded(value / kMebi, " MiB");
  return Rounded(value / kMebi / 1024, " GiB");
}

std::string FormatSeconds(double seconds) {
  if (seconds < 0.0995) return absl::StrCat(std::llround(seconds * 1e3), " ms");
  if (seconds < 120 && seconds == std::floor(seconds)) return absl::StrCat(seconds, " s");
  if (seconds < 120) return Rounded(seconds, " s");
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 7200) {
    const std::string rest = whole % 60 == 0 ? "" : absl::StrCat(" ", whole % 60, " s");
    return absl::StrCat(whole / 60, " min", rest);
  }
  const std::string rest =
      whole % 3600 / 60 == 0 ? "" : absl::StrCat(" ", whole % 3600 / 60, " min");
  return absl::StrCat(whole / 3600, " h", rest);
}

}  // namespace foretell::agent
