#include "foretell/integration/register/family.h"

namespace foretell::integration::registers {
namespace {

constexpr const char* kLive = "live";

// Named after the processes of Table I, which has writer and reader apart.
model::ScenarioRow<Protocol> Objects(std::string name, std::string text, uint32_t objects) {
  return {std::move(name), std::move(text), [objects](Protocol& p) { p.objects = objects; }};
}

}  // namespace

Family::Family()
    : model::Family<Protocol>({
          .name = "register",
          .text = "a regular register over base objects, one writer, one reader (DBSS Table I)",
          .scenarios = {Objects("register-5", "three base objects, two writes, one read", 3),
                        Objects("register-6", "four base objects, two writes, one read", 4),
                        Objects("register-7", "five base objects, two writes, one read", 5),
                        {kLive, "a running register over three base objects: the application calls",
                         [](Protocol& p) {
                           p = {.writes_max = 0, .reads_max = 0, .live = true};
                         }}},
          .bugs = {{"wrong-regularity", "reads are asked for writes that end during them, too",
                    [](Protocol& p) { p.wrong_regularity = true; }},
                   {"hasty-reader", "a reader is content with one answer",
                    [](Protocol& p) { p.hasty_reader = true; }}},
          .parameters = {{"objects", "how many base objects there are", &Protocol::objects, 1, 9},
                         {"writes", "how many there are", &Protocol::writes_max, 0, 100},
                         {"reads", "how many there are", &Protocol::reads_max, 0, 100}},
          .live = kLive,
          .version = FORETELL_SOURCE_VERSION,
      }) {}

}  // namespace foretell::integration::registers
