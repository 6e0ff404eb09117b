#include "foretell/tests/scenarios/masks.h"

#include <regex>

namespace foretell::scenarios {
namespace {

struct Mask {
  std::regex pattern;
  const char* shown;
};

}  // namespace

std::string Masked(const std::string& text) {
  static const Mask kMasks[] = {
      {std::regex(R"([\d.]+ ([KMG]i)?B peak memory)"), "# peak memory"},
      {std::regex(R"re("(peak_rss_bytes|bytes|visited_bytes)": \d+)re"), "\"$1\": #"},
      {std::regex(R"re("foretell": "[^"]*")re"), "\"foretell\": \"#\""},
      {std::regex(R"re(("name": "foretell",\s+"version": )"[^"]*")re"), "$1\"#\""},
      {std::regex(R"re(name="foretell" value="[^"]*")re"), "name=\"foretell\" value=\"#\""},
      // A row of `foretell snapshots`, and its summary.
      {std::regex(R"((\dZ +\d+ +\d+/\d+ +\d+) +[\d,]+  )"), "$1           #  "},
      {std::regex(R"(; [\d.]+ ([KMG]i)?B; from )"), "; # B; from "},
      {std::regex(R"(from byte [\d,]+)"), "from byte #"},
  };
  std::string masked = text;
  for (const Mask& mask : kMasks) masked = std::regex_replace(masked, mask.pattern, mask.shown);
  return masked;
}

}  // namespace foretell::scenarios
