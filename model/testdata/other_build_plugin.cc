#include "foretell/model/plugin.h"

extern "C" const foretell::model::PluginEntry* foretell_plugin() {
  // No families: whoever looks further than the build crashes.
  static constexpr foretell::model::PluginEntry plugin = {foretell::model::kPluginVersion,
                                                          "another compiler", nullptr, nullptr};
  return &plugin;
}
