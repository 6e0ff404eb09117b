#include "foretell/agent/sidecar/report/bundle_folder.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/report/evidence.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

// How much of the past goes into a bundle: enough to see what led there.
constexpr size_t kEarlierMax = 5;
constexpr size_t kEarlierBytesMax = 4 << 20;  // Of one cut.

size_t BytesOf(const snapshot::RecordedSnapshot& recorded) {
  size_t bytes = 0;
  for (const model::NodeState& node : recorded.snapshot.cut.nodes) bytes += node.body.size();
  for (const model::Message& message : recorded.snapshot.cut.in_flight)
    bytes += message.body.size();
  return bytes;
}

constexpr const char* kBundleEnd = ".bundle";

size_t CountBundles(const std::string& folder) {
  std::error_code error;
  size_t count = 0;
  // A folder that cannot be read is reported when the bundle cannot be written.
  for (auto it = std::filesystem::directory_iterator(folder, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    if (it->path().extension() == kBundleEnd) ++count;
  }
  return count;
}

// One round can find several ways to break an invariant, and none overwrites another.
std::string FreePath(const std::string& stem) {
  std::string path = stem + kBundleEnd;
  for (int i = 2; access(path.c_str(), F_OK) == 0; ++i) {
    path = absl::StrCat(stem, "-", i, kBundleEnd);
  }
  return path;
}

std::string ReplayCommand(const Config& config, const std::string& path) {
  std::string command = "foretell replay " + ShellWord(path);
  for (const std::string& plugin : config.plugins)
    absl::StrAppend(&command, " --plugin ", ShellWord(plugin));
  return command;
}

}  // namespace

void BundleFolder::Remember(const snapshot::RecordedSnapshot& snapshot) {
  // One in which nothing has changed says nothing.
  if (!earlier_.empty() && earlier_.back().snapshot.cut == snapshot.snapshot.cut) return;
  if (BytesOf(snapshot) > kEarlierBytesMax) return earlier_.clear();
  earlier_.push_back(snapshot);
  if (earlier_.size() > kEarlierMax) earlier_.pop_front();
}

std::vector<std::string> BundleFolder::ChangesSince(
    const model::Service& service, const snapshot::RecordedSnapshot& snapshot) const {
  if (earlier_.empty()) return {};
  return ChangesFrom(service, earlier_.back().snapshot.cut, snapshot.snapshot.cut);
}

void BundleFolder::Write(const snapshot::RecordedSnapshot& snapshot, Alert& alert) {
  if (config_.bundles.empty()) return;
  // Those of earlier runs count: what is limited is the room that they take.
  count_ = CountBundles(config_.bundles);
  if (count_ >= config_.bundles_max) {
    return Failed(absl::ResourceExhaustedError(absl::StrCat(
        "no more bundles in ", config_.bundles, ": bundles.count_max is ", config_.bundles_max)));
  }
  const std::string stem = absl::StrCat(config_.bundles, "/", alert.predicted.violation.invariant,
                                        "-", snapshot.taken.time_since_epoch().count() / 1'000'000,
                                        "-", snapshot.snapshot.number);
  alert.bundle = FreePath(stem);
  alert.replay = ReplayCommand(config_, alert.bundle);
  snapshot::Bundle bundle = ToBundle(alert, snapshot);
  bundle.plugins = config_.plugins;
  if (HasHappened(alert)) bundle.earlier = {earlier_.begin(), earlier_.end()};
  const absl::Status status = snapshot::WriteBundle(alert.bundle, bundle);
  if (status.ok()) {
    ++count_;
    status_ = status;
    return;
  }
  alert.bundle.clear();
  alert.replay.clear();
  Failed(absl::Status(status.code(),
                      absl::StrCat("bundle not written: ", std::string(status.message()))));
}

// One line for many that fail alike.
void BundleFolder::Failed(absl::Status status) {
  if (status_.code() != status.code()) log_.Log(std::string(status.message()));
  status_ = std::move(status);
}

}  // namespace foretell::agent
