#include "foretell/agent/demo/demo_folder.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/drawing/space_time.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {

namespace fs = std::filesystem;

DemoFolder::DemoFolder(bool keep) : keep_(keep) {
  std::string name = fs::temp_directory_path() / "foretell-demo-XXXXXX";
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

DemoFolder::~DemoFolder() {
  std::error_code ignored;
  if (!keep_ && !path_.empty()) fs::remove_all(path_, ignored);
}

std::string DemoFolder::Folder(const std::string& name) const {
  fs::create_directory(path_ + "/" + name);
  return path_ + "/" + name;
}

absl::StatusOr<std::string> FreshResults(const std::string& results) {
  std::error_code error;
  fs::remove_all(results, error);
  fs::create_directories(results, error);
  if (error) return absl::UnavailableError(results + ": " + error.message());
  return absl::StrCat("[bundles]\npath = \"", results, "\"\n[archive]\npath = \"", results,
                      "/cuts.ftl\"\n[audit]\npath = \"", results, "/audit.jsonl\"\n");
}

absl::StatusOr<std::string> DrawBundle(const model::Service& service, const std::string& bundle,
                                       const std::string& picture, Console& console) {
  const auto read = snapshot::ReadBundle(bundle);
  if (!read.ok()) return read.status();
  const model::Violation violation{read->invariant, read->text, read->path};
  const model::SystemCut start = DrawingStart(service, read->imagined, read->focus, violation);
  const auto drawn =
      BuildSpaceTime(service, start, violation,
                     absl::StrCat("predicted from snapshot ", read->recorded.snapshot.number));
  if (!drawn.ok()) return drawn.status();
  console.out << "\n" << DrawText(*drawn, console.out_style) << "\n";
  return WriteFileAtomically(picture, DrawSvg(*drawn)).ok() ? picture : std::string();
}

int ConcludeDemo(const Shown& shown, const std::string& try_next, Console& console) {
  if (shown.violated && shown.predicted) return kExitNothing;
  if (console.interrupted()) {
    console.err << "foretell: interrupted before there was anything to be seen\n";
    return kExitInterrupted;
  }
  console.err << "foretell: "
              << (shown.violated ? "it went wrong faster than it could be seen"
                                 : "nothing went wrong this time, so nothing could be prevented")
              << "; try " << try_next << "\n";
  return kExitIncomplete;
}

}  // namespace foretell::agent
