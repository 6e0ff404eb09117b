#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

// A file system in memory, as strict as POSIX allows a real one to be, whose operations fail when
// they are told to. It has one directory "/d"; others are made.
class FaultyFileSystem final : public FileSystem {
 public:
  // The part that is left when nobody who has a file open is alive any more.
  enum class Remains {
    kEverything,  // The process was killed, the machine was not.
    kSynced,      // The power failed. Names and contents are as they were when last synced.
    kNames,       // The same, but all names have reached the disk.
    kTorn,        // Sizes, too: of contents not synced, half is there, and the rest is zeros.
  };
  static constexpr Remains kAllRemains[] = {Remains::kEverything, Remains::kSynced, Remains::kNames,
                                            Remains::kTorn};

  FaultyFileSystem() {
    names_["/d"] = std::make_shared<Node>(Node{.directory = true});
    durable_names_ = names_;
  }

  // Operations are counted from 0; looking at a path is none. One that fails does nothing, but for
  // a write, of which half is done.
  uint64_t operations() const { return operations_; }
  void FailAt(uint64_t operation) { fail_at_ = operation; }
  void FailFrom(uint64_t operation) { fail_from_ = operation; }
  // All contents together; beyond it the disk is full.
  void set_room(uint64_t bytes) { room_ = bytes; }

  // Ends all failures. REQUIRES: no file is open.
  void Restart(Remains remains) {
    if (remains == Remains::kSynced) names_ = Rooted(durable_names_);
    for (auto& [path, node] : names_) {
      if (remains != Remains::kEverything) LoseContent(*node, remains == Remains::kTorn);
      node->durable = node->content;
      node->locked = false;
    }
    durable_names_ = names_;
    fail_at_ = fail_from_ = UINT64_MAX;
  }

  absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path,
                                             const Opening& opening) override {
    const bool makes = opening.access == Access::kModify || opening.access == Access::kFresh ||
                       opening.access == Access::kAppend;
    absl::Status status = Step(path, "cannot open");
    if (!status.ok()) return status;
    if (makes && !IsDirectory(DirectoryOf(path))) return FileError(path, "cannot open", ENOENT);
    auto found = names_.find(path);
    if (found == names_.end() && !makes) return FileError(path, "cannot open", ENOENT);
    if (found == names_.end()) found = names_.emplace(path, std::make_shared<Node>()).first;
    if (opening.access == Access::kFresh) found->second->content.clear();
    return std::make_unique<OpenFile>(*this, path, found->second);
  }

  Look LookAt(const std::string& path) const override {
    const auto found = names_.find(path);
    return found == names_.end() ? Look() : Look{KindOf(*found->second)};
  }

  absl::Status Rename(const std::string& from, const std::string& to) override {
    absl::Status status = Step(from, "cannot rename to " + to);
    if (!status.ok()) return status;
    const auto found = names_.find(from);
    if (found == names_.end()) return FileError(from, "cannot rename to " + to, ENOENT);
    names_[to] = found->second;
    names_.erase(from);
    return status;
  }

  absl::Status Remove(const std::string& path) override {
    absl::Status status = Step(path, "cannot delete");
    if (!status.ok()) return status;
    return names_.erase(path) > 0 ? status : FileError(path, "cannot delete", ENOENT);
  }

  absl::Status MakeDirectory(const std::string& path, uint32_t /*permissions*/) override {
    absl::Status status = Step(path, "cannot make directory");
    if (!status.ok() || names_.contains(path)) return status;
    if (!IsDirectory(DirectoryOf(path))) return FileError(path, "cannot make directory", ENOENT);
    names_[path] = std::make_shared<Node>(Node{.directory = true});
    return status;
  }

  absl::Status SyncDirectory(const std::string& path) override {
    absl::Status status = Step(path, "cannot sync");
    if (!status.ok()) return status;
    if (!IsDirectory(path)) return FileError(path, "cannot open", ENOENT);
    const auto inside = [&path](const auto& name) { return DirectoryOf(name.first) == path; };
    std::erase_if(durable_names_, inside);
    std::copy_if(names_.begin(), names_.end(), std::inserter(durable_names_, durable_names_.end()),
                 inside);
    return status;
  }

 private:
  struct Node {
    bool directory = false;
    std::string content;
    std::string durable;
    UnixTime changed;
    bool locked = false;
  };
  using Names = std::map<std::string, std::shared_ptr<Node>>;

  class OpenFile final : public File {
   public:
    OpenFile(FaultyFileSystem& files, const std::string& path, std::shared_ptr<Node> node)
        : File(path), files_(files), node_(std::move(node)) {}
    ~OpenFile() override {
      if (locks_) node_->locked = false;
    }

    absl::StatusOr<Shape> Stat() const override {
      if (absl::Status status = files_.Step(path(), "cannot look at"); !status.ok()) return status;
      return Shape{KindOf(*node_), node_->content.size(), node_->changed};
    }
    absl::StatusOr<std::string> ReadAt(uint64_t offset, size_t size) const override {
      if (absl::Status status = files_.Step(path(), "cannot read"); !status.ok()) return status;
      return offset < node_->content.size() ? node_->content.substr(offset, size) : "";
    }
    absl::StatusOr<std::string> ReadNext(size_t size) override {
      auto bytes = ReadAt(next_, size);
      if (bytes.ok()) next_ += bytes->size();
      return bytes;
    }
    absl::Status WriteAt(uint64_t offset, const std::string& bytes) override {
      const absl::Status status = files_.Step(path(), "cannot write");
      const size_t written = Put(offset, bytes, status.ok());
      if (!status.ok() || written == bytes.size()) return status;
      return FileError(path(), "cannot write", ENOSPC);
    }
    absl::StatusOr<size_t> Append(const std::string& bytes) override {
      const absl::Status status = files_.Step(path(), "cannot write");
      if (!status.ok()) return status;
      const size_t written = Put(node_->content.size(), bytes, true);
      if (written == 0 && !bytes.empty()) return FileError(path(), "cannot write", ENOSPC);
      return written;
    }
    absl::Status Sync() override {
      absl::Status status = files_.Step(path(), "cannot sync");
      if (status.ok()) node_->durable = node_->content;
      return status;
    }
    absl::Status Truncate(uint64_t size) override {
      absl::Status status = files_.Step(path(), "cannot cut");
      if (status.ok()) node_->content.resize(size);
      return status;
    }
    absl::Status TryLock() override {
      absl::Status status = files_.Step(path(), "cannot lock");
      if (!status.ok()) return status;
      if (node_->locked && !locks_) {
        return absl::AlreadyExistsError(path() + ": is being written by another process");
      }
      node_->locked = locks_ = true;
      return status;
    }

   private:
    // As much of `bytes` as there is room for, or of half of them if the write fails.
    size_t Put(uint64_t offset, const std::string& bytes, bool good) {
      const uint64_t room = files_.room_ - std::min(files_.room_, files_.Used());
      const uint64_t over =
          node_->content.size() - std::min<uint64_t>(offset, node_->content.size());
      const size_t written =
          std::min<uint64_t>(good ? bytes.size() : bytes.size() / 2,
                             room > UINT64_MAX - over ? UINT64_MAX : room + over);
      if (written == 0) return 0;
      std::string& content = node_->content;
      if (content.size() < offset + written) content.resize(offset + written);
      content.replace(offset, written, bytes, 0, written);
      node_->changed += std::chrono::nanoseconds(1);
      return written;
    }

    FaultyFileSystem& files_;
    const std::shared_ptr<Node> node_;
    uint64_t next_ = 0;
    bool locks_ = false;
  };

  static std::string DirectoryOf(const std::string& path) {
    return path.substr(0, std::max<size_t>(path.rfind('/'), 1));
  }
  static FileKind KindOf(const Node& node) {
    return node.directory ? FileKind::kDirectory : FileKind::kRegular;
  }
  bool IsDirectory(const std::string& path) const {
    return path == "/" || LookAt(path).kind == FileKind::kDirectory;
  }
  // Without what is in directories that are gone.
  static Names Rooted(const Names& names) {
    Names rooted;
    for (const auto& [path, node] : names) {
      const std::string directory = DirectoryOf(path);
      if (directory == "/" || rooted.contains(directory)) rooted[path] = node;
    }
    return rooted;
  }
  static void LoseContent(Node& node, bool torn) {
    const size_t kept = (node.durable.size() + node.content.size()) / 2;
    if (torn && node.content.size() > node.durable.size()) {
      std::fill(node.content.begin() + static_cast<std::ptrdiff_t>(kept), node.content.end(), '\0');
    } else {
      node.content = node.durable;
    }
  }

  uint64_t Used() const {
    uint64_t used = 0;
    for (const auto& [path, node] : names_) used += node->content.size();
    return used;
  }

  absl::Status Step(const std::string& path, const std::string& what) {
    const uint64_t operation = operations_++;
    if (operation != fail_at_ && operation < fail_from_) return absl::OkStatus();
    return FileError(path, what, EIO);
  }

  Names names_;
  Names durable_names_;
  uint64_t operations_ = 0;
  uint64_t fail_at_ = UINT64_MAX;
  uint64_t fail_from_ = UINT64_MAX;
  uint64_t room_ = UINT64_MAX;
};

// Every way in which `scenario`, a user of the disk, can be hurt: each of its operations fails
// alone, or is the last one; then its machine remains in each of the ways. `scenario` closes all
// files before it returns and must not crash; `expect` looks at what remains.
inline void ForEachFault(
    const std::function<void(FaultyFileSystem&)>& scenario,
    const std::function<void(FaultyFileSystem&, FaultyFileSystem::Remains)>& expect) {
  FaultyFileSystem whole;
  scenario(whole);
  for (uint64_t operation = 0; operation <= whole.operations(); ++operation) {
    for (const bool last : {false, true}) {
      for (const FaultyFileSystem::Remains remains : FaultyFileSystem::kAllRemains) {
        FaultyFileSystem files;
        last ? files.FailFrom(operation) : files.FailAt(operation);
        scenario(files);
        files.Restart(remains);
        expect(files, remains);
      }
    }
  }
}

}  // namespace foretell::snapshot
