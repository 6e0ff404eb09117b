#include "foretell/agent/drawing/text_diagram.h"

#include <gtest/gtest.h>

#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/testing/toy_path.h"

namespace foretell::agent {
namespace {

TEST(TextDiagramTest, DrawsLanesArrowsFaultsAndChanges) {
  EXPECT_EQ(DrawText(ToyPicture("fresh", ToyPath()), {.utf8 = true}), Golden(R"(
step node 0               node 1               node 2       what it does
       │                    │                    │
   1   ● Campaign()         │                    │          asked: 0 → 1
       │                    │                    │          sends Ask to 0, 1, 2
   2   │                    │                    ✖ crash    node: up → down
   3   ├─── Ask(term=1) ───▶●                    ┊          voted: - → yes
       │                    │                    ┊          sent in step 1, chooses 1
       │                    │                    ┊          sends Vote to 0
   4   ●↩ Ask(term=1)       │                    ┊          voted: - → no
       │                    │                    ┊          sent in step 1, chooses 0
       │                    │                    ┊          sends Vote to 0, undelivered
   5   │                    │                    ↻ restart  node: down → up
   6   ├───────────── Ask(term=1) ──────────────▶●          voted: - → yes
       │                    │                    │          sent in step 1, chooses 1
       │                    │                    │          sends Vote to 0
   7   ●◀── Vote(yes=yes) ──┤                    │          yes: {} → {1}
       │                    │                    │          sent in step 3
   8   ●◀──────────── Vote(yes=yes) ─────────────┤          yes: {1} → {1 2}
       │                    │                    │          sent in step 6
       │                    │                    │

✗ never-elected does not hold: Node 0 hears yes from both others.
  node 0: asked=1; voted=no; yes={1 2}
  node 1: voted=yes
  node 2: voted=yes
)"));
}

TEST(TextDiagramTest, FallsBackToAscii) {
  const std::string text = DrawText(ToyPicture("fresh", ToyPath()), {.utf8 = false});
  for (const char c : text) ASSERT_TRUE((c >= ' ' && c < 127) || c == '\n') << text;
  EXPECT_EQ(text.substr(0, text.find("\n   5")), Golden(R"(
step node 0               node 1               node 2       what it does
       |                    |                    |
   1   o Campaign()         |                    |          asked: 0 -> 1
       |                    |                    |          sends Ask to 0, 1, 2
   2   |                    |                    X crash    node: up -> down
   3   +--- Ask(term=1) --->o                    :          voted: - -> yes
       |                    |                    :          sent in step 1, chooses 1
       |                    |                    :          sends Vote to 0
   4   o@ Ask(term=1)       |                    :          voted: - -> no
       |                    |                    :          sent in step 1, chooses 0
       |                    |                    :          sends Vote to 0, undelivered)"));
}

TEST(TextDiagramTest, TellsWhatWasThereAtTheStart) {
  const model::Path path = {ToyPath()[2]};
  EXPECT_EQ(DrawText(ToyPicture("asked", path), {.utf8 = true}), Golden(R"(
node 0 starts with asked=1
In flight at the start: 2 messages; when one arrives, its arrow is ╌╌╌▶.

step node 0             node 1             node 2  what it does
       │                  │                  │
   1   ├╌╌ Ask(term=1) ╌╌▶●                  │     voted: - → yes
       │                  │                  │     chooses 1
       │                  │                  │     sends Vote to 0, undelivered
       │                  │                  │

✗ never-elected does not hold: Node 0 hears yes from both others.
  node 0: asked=1
  node 1: voted=yes
)"));
}

TEST(TextDiagramTest, KeepsToTheWidthWithManyNodesAndLongLabels) {
  SpaceTime picture = ToyPicture("fresh", ToyPath());
  for (uint32_t n = 3; n < 8; ++n) picture.lanes.push_back({.name = "node " + std::to_string(n)});
  picture.moments[2].label = "Ask(" + std::string(200, 'x') + ")";
  picture.moments[0].label = std::string(50, 'y') + " z";
  const std::string text = DrawText(picture, {.utf8 = false, .columns = 100});
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(TextDiagramTest, ColoursOnlyWhenAskedTo) {
  const SpaceTime picture = ToyPicture("fresh", ToyPath());
  EXPECT_EQ(DrawText(picture, {.utf8 = true}).find('\x1b'), std::string::npos);
  EXPECT_NE(DrawText(picture, {.utf8 = true, .colour = true}).find('\x1b'), std::string::npos);
}

TEST(MermaidTest, DrawsDeliveredMessagesAndNotes) {
  EXPECT_EQ(DrawMermaid(ToyPicture("fresh", ToyPath())), Golden(R"(
sequenceDiagram
  title toy #60;1#62; #38; #34;2#34;
  participant n0 as node 0
  participant n1 as node 1
  participant n2 as node 2
  Note over n0: Campaign()<br/>asked: 0 → 1
  Note over n2: crash<br/>node: up → down
  n0->>n1: Ask(term=1)
  Note over n1: chooses 1<br/>voted: - → yes
  n0->>n0: Ask(term=1)
  Note over n0: chooses 0<br/>voted: - → no
  Note over n2: restart<br/>node: down → up
  n0->>n2: Ask(term=1)
  Note over n2: chooses 1<br/>voted: - → yes
  n1->>n0: Vote(yes=yes)
  Note over n0: yes: #123;#125; → #123;1#125;
  rect rgba(220, 40, 40, 0.2)
    n2->>n0: Vote(yes=yes)
    Note over n0: yes: #123;1#125; → #123;1 2#125;
  end
  Note over n0,n2: VIOLATION of never-elected<br/>Node 0 hears yes from both others.
)"));
}

}  // namespace
}  // namespace foretell::agent
