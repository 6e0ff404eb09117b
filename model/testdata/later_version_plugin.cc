#include "foretell/model/plugin.h"

extern "C" const foretell::model::PluginEntry* foretell_plugin() {
  // No families: whoever looks further than the version crashes.
  static constexpr foretell::model::PluginEntry plugin = {foretell::model::kPluginVersion + 1,
                                                          FORETELL_PLUGIN_ABI, nullptr, nullptr};
  return &plugin;
}
