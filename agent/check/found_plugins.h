#pragma once

#include <filesystem>
#include <vector>

#include "foretell/model/family.h"

namespace foretell::agent {

// Where plug-ins are looked for by name: the folders of FORETELL_PLUGINS, separated by colons, then
// plugins/ beside the executable and lib/foretell/plugins of where it is installed.
std::vector<std::filesystem::path> PluginFolders();

// Appends what is found in `folders`: NAME.so and libNAME.so are libraries, another file NAME that
// can be executed is a process. Its service is NAME. Nothing is loaded before it is used; names
// that are taken are passed over. What cannot be loaded says so when somebody wants to check it.
void AppendFound(const std::vector<std::filesystem::path>& folders, model::Catalog& catalog);

// True for a family of AppendFound: one that somebody names himself takes its place.
bool IsFound(const model::ServiceFamily& family);

}  // namespace foretell::agent
