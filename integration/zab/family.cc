#include "foretell/integration/zab/family.h"

namespace foretell::integration::zab {
namespace {

model::ScenarioRow<Protocol> Leaders(std::string name, std::string text, uint32_t leaders) {
  return {std::move(name), std::move(text), [leaders](Protocol& p) { p.leaders = leaders; }};
}

}  // namespace

Family::Family()
    : model::Family<Protocol>({
          .name = "zab",
          .text = "Zab, the atomic broadcast of ZooKeeper, from discovery on (DBSS Table I)",
          .scenarios = {Leaders("zab-6", "three leaders, three followers", 3),
                        Leaders("zab-7", "four leaders, three followers", 4),
                        Leaders("zab-5", "two leaders, three followers: one has a majority", 2)},
          .bugs = {{"no-majority", "a leader is content with one follower",
                    [](Protocol& p) { p.bug = Bug::kNoMajority; }},
                   {"first-history", "a leader takes the first history, not the longest",
                    [](Protocol& p) { p.bug = Bug::kFirstHistory; }}},
          .parameters = {{"leaders", "how many there are to choose from", &Protocol::leaders, 1, 8},
                         {"followers", "how many there are", &Protocol::followers, 1, 9}},
          .version = FORETELL_SOURCE_VERSION,
      }) {}

}  // namespace foretell::integration::zab
