#include "foretell/tests/tidy/rooms.h"

#include <algorithm>
#include <regex>
#include <set>

namespace foretell::tidy {
namespace {

constexpr size_t kFilesMax = 30;

using Names = std::set<std::string>;

struct Room {
  std::string door;
  Names shown;  // Besides the door.
  Names knows;  // Other rooms.
  Names used;   // The part of `knows` that some include needs.
  size_t files = 0;
};

// The quoted names behind "- KEY:", up to the next item or paragraph.
Names ItemsOf(const std::string& readme, const std::string& key) {
  const size_t begin = readme.find("- " + key + ":");
  if (begin == std::string::npos) return {};
  const std::string item = readme.substr(
      begin, std::min(readme.find("\n\n", begin), readme.find("\n- ", begin)) - begin);
  static const std::regex kName("`([^`]+)`");
  Names names;
  for (std::sregex_iterator it(item.begin(), item.end(), kName), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

class Rooms {
 public:
  Rooms(const Tree& tree, Complaints& complaints) : tree_(tree), complaints_(complaints) {}

  void Run() {
    Collect();
    for (const std::string& folder : folders_) {
      if (tree_.count(folder + "/README.md") == 0) complaints_.push_back(folder + ": no README.md");
    }
    for (auto& [path, room] : rooms_) CheckRoom(path, room);
    for (const auto& [path, text] : tree_) {
      if (IsCpp(path) && TopFolderOf(path) != "tests") CheckFile(path, text);
    }
    for (const auto& [path, room] : rooms_) CheckKnowledge(path, room);
    CheckPublic();
  }

 private:
  void Collect() {
    for (const auto& [path, text] : tree_) {
      if (!IsCpp(path) || FolderOf(path).empty()) continue;
      folders_.insert(TopFolderOf(path));
      if (IsTest(path)) continue;
      folders_.insert(FolderOf(path));
      ++rooms_[FolderOf(path)].files;
    }
  }

  void CheckRoom(const std::string& path, Room& room) {
    if (room.files > kFilesMax) {
      complaints_.push_back(path + ": " + std::to_string(room.files) +
                            " files side by side, limit " + std::to_string(kFilesMax));
    }
    const auto readme = tree_.find(path + "/README.md");
    if (readme == tree_.end()) return;
    const Names doors = ItemsOf(readme->second, "Door");
    if (doors.size() != 1 || tree_.count(path + "/" + *doors.begin()) == 0) {
      complaints_.push_back(path + "/README.md: must name one file of the room as its door");
    } else {
      room.door = *doors.begin();
    }
    room.shown = ItemsOf(readme->second, "Shown");
    for (const std::string& shown : room.shown) {
      if (tree_.count(path + "/" + shown) != 0) continue;
      complaints_.push_back(path + "/README.md: shows " + shown + ", which is not there");
    }
    room.knows = ItemsOf(readme->second, "Knows");
  }

  void CheckFile(const std::string& path, const std::string& text) {
    for (const Include& include : IncludesOf(text)) {
      const auto to = rooms_.find(FolderOf(include.path));
      if (to == rooms_.end() || FolderOf(path) == to->first) continue;
      if (IsTest(path)) {
        CheckTestInclude(path, include);
      } else {
        CheckInclude(path, include, to->second);
      }
    }
  }

  void CheckInclude(const std::string& path, const Include& include, const Room& to) {
    const std::string from = FolderOf(path);
    const std::string folder = FolderOf(include.path);
    const std::string at = path + ":" + std::to_string(include.line) + ": ";
    Room& room = rooms_.at(from);
    room.used.insert(folder);
    if (room.knows.count(folder) == 0) {
      complaints_.push_back(at + from + "/ must not know " + folder + "/");
    }
    const std::string name = include.path.substr(folder.size() + 1);
    if (name != to.door && to.shown.count(name) == 0) {
      complaints_.push_back(at + folder + "/ does not show " + name);
    }
  }

  // A test may know what some room of its folder knows.
  void CheckTestInclude(const std::string& path, const Include& include) {
    const std::string from = TopFolderOf(path);
    const std::string to = TopFolderOf(include.path);
    if (from == to) return;
    for (const auto& [name, room] : rooms_) {
      if (TopFolderOf(name) != from) continue;
      for (const std::string& known : room.knows) {
        if (TopFolderOf(known) == to) return;
      }
    }
    complaints_.push_back(path + ":" + std::to_string(include.line) + ": " + from +
                          "/ must not know " + to + "/");
  }

  void CheckKnowledge(const std::string& path, const Room& room) {
    for (const std::string& known : room.knows) {
      if (room.used.count(known) == 0) {
        complaints_.push_back(path + "/README.md: knows " + known + ", but includes nothing of it");
      }
    }
    Names behind;
    Reach(room, behind);
    if (behind.count(path) != 0) complaints_.push_back(path + ": knows itself through others");
  }

  void Reach(const Room& room, Names& behind) const {
    for (const std::string& known : room.knows) {
      const auto next = rooms_.find(known);
      if (next != rooms_.end() && behind.insert(known).second) Reach(next->second, behind);
    }
  }

  // What is installed must not need what is not.
  void CheckPublic() {
    const auto install = tree_.find("cmake/install.cmake");
    if (install == tree_.end()) return;
    static const std::regex kFolders(R"(set\(foretell_public_folders ([^)]*)\))");
    std::smatch match;
    if (!std::regex_search(install->second, match, kFolders)) {
      complaints_.push_back("cmake/install.cmake: names no foretell_public_folders");
      return;
    }
    const std::string list = match[1];
    static const std::regex kFolder(R"(\S+)");
    Names folders;
    for (std::sregex_iterator it(list.begin(), list.end(), kFolder), end; it != end; ++it) {
      folders.insert(it->str());
    }
    for (const auto& [path, text] : tree_) {
      if (IsHeader(path) && folders.count(FolderOf(path)) != 0) CheckPublicHeader(path, folders);
    }
  }

  void CheckPublicHeader(const std::string& path, const Names& folders) {
    for (const Include& include : IncludesOf(tree_.at(path))) {
      if (folders.count(FolderOf(include.path)) != 0) continue;
      complaints_.push_back(path + ":" + std::to_string(include.line) +
                            ": a public header includes " + include.path + ", which is not");
    }
  }

  const Tree& tree_;
  Complaints& complaints_;
  Names folders_;  // That must have a README.
  std::map<std::string, Room> rooms_;
};

}  // namespace

void CheckRooms(const Tree& tree, Complaints& complaints) { Rooms(tree, complaints).Run(); }

}  // namespace foretell::tidy
