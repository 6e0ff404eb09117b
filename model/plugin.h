#pragma once

// Services from a shared library: `foretell check NAME --plugin lib.so`. The library says
//
//   FORETELL_PLUGIN(kMyFamily)
//
// once, outside of any namespace; several families are separated by commas. It links
// foretell::model of the version it is loaded by.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/config.h"
#include "absl/status/statusor.h"
#include "foretell/model/family.h"

namespace foretell::model {

// Rises with every change to Service, ServiceFamily or a type they use.
inline constexpr uint32_t kPluginVersion = 9;

// The one symbol that is looked up, in all versions.
inline constexpr const char* kPluginSymbol = "foretell_plugin";

// The value that a plug-in's entry point returns. The first two members stay where they are in all
// versions: they are read before anything else is believed.
struct PluginEntry {
  uint32_t version;
  const char* abi;  // FORETELL_PLUGIN_ABI where the plug-in was compiled.
  void (*add_families)(Catalog& catalog);
  const char* source_version;  // A hash of its sources; null: nobody computed one.
};

// Copies of `families`, which are values of classes derived from ServiceFamily.
template <class... Families>
void AddFamilies(Catalog& catalog, const Families&... families) {
  static_assert(sizeof...(Families) > 0, "a plug-in has at least one family");
  (catalog.push_back(std::make_unique<Families>(families)), ...);
}

// The families of the C++ library at `path`. The library stays loaded until the process ends: their
// code, and that of every service they ever make, lives in it. The version of a family is what it
// says itself, if anything, with a hash of the library's sources (`foretell_add_service` in CMake),
// or else of the file.
// Fails with one line that names `path` and the cause: NotFound for no such file, InvalidArgument
// for a file that is no plug-in, FailedPrecondition for a plug-in of another version or build.
// LoadPlugin (model/foreign/load_plugin.h) is for services in other languages, too.
absl::StatusOr<Catalog> LoadCppPlugin(const std::string& path);

// The parts of it that are the same for all libraries. The file, loaded for good, as dlopen has it.
absl::StatusOr<void*> OpenLibrary(const std::string& path);
// Every family has a name of its own, and a scenario.
absl::Status ValidateFamilies(const std::string& path, const Catalog& families);
// Two builds of the same sources may differ here, which errs on the safe side.
std::string FileVersion(const std::string& path);

}  // namespace foretell::model

#define FORETELL_STRING_(x) #x
#define FORETELL_STRING(x) FORETELL_STRING_(x)

#if defined(__clang__)
#define FORETELL_PLUGIN_COMPILER "clang " FORETELL_STRING(__clang_major__)
#else
#define FORETELL_PLUGIN_COMPILER "gcc " FORETELL_STRING(__GNUC__)
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FORETELL_PLUGIN_SANITIZER ", address sanitizer"
#elif defined(__SANITIZE_THREAD__)
#define FORETELL_PLUGIN_SANITIZER ", thread sanitizer"
#else
#define FORETELL_PLUGIN_SANITIZER ""
#endif

// Families are C++ objects, so both sides must agree on everything that shapes one. A macro, not a
// variable: the dynamic linker could make two variables of one name the same.
#define FORETELL_PLUGIN_ABI                                                                  \
  FORETELL_PLUGIN_COMPILER                                                                   \
  ", " FORETELL_STRING(__SIZEOF_POINTER__) "-byte pointers, string ABI " FORETELL_STRING(    \
      _GLIBCXX_USE_CXX11_ABI) ", Abseil " FORETELL_STRING(ABSL_OPTION_INLINE_NAMESPACE_NAME) \
      FORETELL_PLUGIN_SANITIZER

#ifdef FORETELL_SOURCE_VERSION
#define FORETELL_PLUGIN_SOURCE FORETELL_SOURCE_VERSION
#else
#define FORETELL_PLUGIN_SOURCE nullptr
#endif

#define FORETELL_PLUGIN(...)                                                              \
  extern "C" __attribute__((visibility("default"))) const ::foretell::model::PluginEntry* \
  foretell_plugin() {                                                                     \
    static constexpr ::foretell::model::PluginEntry plugin = {                            \
        ::foretell::model::kPluginVersion, FORETELL_PLUGIN_ABI,                           \
        [](::foretell::model::Catalog& catalog) {                                         \
          ::foretell::model::AddFamilies(catalog, __VA_ARGS__);                           \
        },                                                                                \
        FORETELL_PLUGIN_SOURCE};                                                          \
    return &plugin;                                                                       \
  }
