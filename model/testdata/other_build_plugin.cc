#include "foretell/model/plugin.h"

extern "C" const foretell::model::PluginV1* foretell_plugin() {
  // No families: whoever looks further than the build crashes.
  static constexpr foretell::model::PluginV1 plugin = {foretell::model::kPluginVersion,
                                                       "another compiler", nullptr};
  return &plugin;
}
