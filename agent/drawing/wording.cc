#include "foretell/agent/drawing/wording.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::agent {
namespace {

using model::PeerRole;

// "a.b" and "c" of "a.b.c"; no parent for undotted names.
std::pair<std::string, std::string> Split(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

bool IsNoise(const Change& change) {
  static const std::set<std::string> kEmpty = {"0", "-", "no", "{}", "[]", ""};
  return (change.appears && kEmpty.contains(change.after)) ||
         (change.vanishes && kEmpty.contains(change.before));
}

std::string ValueText(const std::string& name, const Change& change, const std::string& arrow,
                      const char* separator) {
  if (arrow.empty()) return absl::StrCat(name, "=", change.after);
  return absl::StrCat(name, separator, change.before, " ", arrow, " ", change.after);
}

struct Group {
  std::string parent;
  std::vector<const Change*> changes;
};

std::vector<Group> GroupsOf(const std::vector<Change>& changes) {
  const bool all_noise = std::all_of(changes.begin(), changes.end(), IsNoise);
  std::vector<Group> groups;
  for (const Change& change : changes) {
    if (IsNoise(change) && !all_noise) continue;
    const std::string parent = Split(change.name).first;
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.parent == parent; });
    if (found != groups.end() && !parent.empty()) {
      found->changes.push_back(&change);
    } else {
      groups.push_back({parent, {&change}});
    }
  }
  return groups;
}

std::string Relative(const std::string& name, const std::string& common) {
  if (common.empty() || !name.starts_with(common)) return name;
  if (name.size() == common.size()) return "";
  return name[common.size()] == '.' ? name.substr(common.size() + 1) : name;
}

}  // namespace

std::string EventText(const Moment& moment) {
  switch (model::InfoOf(moment.kind).peer) {
    case PeerRole::kSender: return absl::StrCat(moment.label, " from ", moment.peer_node);
    case PeerRole::kStream: return absl::StrCat(moment.label, " with ", moment.peer_node);
    case PeerRole::kNone: break;
  }
  return moment.label;
}

std::string HeaderText(const Lane& lane) {
  return lane.role.empty() ? lane.name : absl::StrCat(lane.node, " ", lane.role);
}

std::string ChoicesText(const Moment& moment) {
  std::vector<std::string> words;
  for (size_t i = 0; i < moment.choices.size(); ++i) {
    const bool labelled = i < moment.choice_labels.size() && !moment.choice_labels[i].empty();
    words.push_back(labelled ? moment.choice_labels[i] : std::to_string(moment.choices[i]));
  }
  return words.empty() ? "" : absl::StrCat("chooses ", absl::StrJoin(words, ", "));
}

std::string ChangesText(const std::vector<Change>& changes) {
  return absl::StrJoin(changes, "; ", [](std::string* out, const Change& change) {
    absl::StrAppend(out, ValueText(change.name, change, "->", ": "));
  });
}

std::vector<std::string> ChangeLines(const std::vector<Change>& changes, const std::string& common,
                                     const std::string& arrow) {
  std::vector<std::string> lines;
  for (const Group& group : GroupsOf(changes)) {
    if (group.changes.size() == 1) {
      const Change& change = *group.changes.front();
      lines.push_back(ValueText(Relative(change.name, common), change, arrow, ": "));
      continue;
    }
    const std::string parent = Relative(group.parent, common);
    const std::string parts =
        absl::StrJoin(group.changes, ", ", [&](std::string* out, const Change* change) {
          absl::StrAppend(out, ValueText(Split(change->name).second, *change, arrow, " "));
        });
    lines.push_back(parent.empty() ? parts : absl::StrCat(parent, ": ", parts));
  }
  return lines;
}

std::string CommonPrefix(const SpaceTime& picture) {
  std::optional<std::string> common;
  for (const Moment& moment : picture.moments) {
    for (const Change& change : moment.changes) {
      const std::string parent = Split(change.name).first;
      if (parent.empty()) continue;
      if (!common) common = parent;
      // Shortens by whole parts until it fits.
      while (!common->empty() && parent != *common && !parent.starts_with(*common + ".")) {
        common = Split(*common).first;
      }
    }
  }
  return common.value_or("");
}

std::string ShortLabel(const std::string& label) {
  const size_t open = label.find('(');
  return open == 0 || open == std::string::npos ? label : label.substr(0, open);
}

std::string BystandersText(const SpaceTime& picture) {
  const bool one = picture.bystanders == 1;
  return absl::StrCat(picture.bystanders, one ? " node" : " nodes", " without part in it ",
                      one ? "is" : "are", " not shown");
}

std::string HiddenText(const SpaceTime& picture) {
  const bool one = picture.hidden == 1;
  return absl::StrCat(picture.hidden, one ? " step" : " steps", " between processes and mailboxes ",
                      one ? "is" : "are", " not shown");
}

std::vector<std::string> SendTexts(const Moment& moment) {
  std::vector<std::string> labels;  // In order of first appearance.
  std::set<std::string> names;
  for (const SentMessage& sent : moment.sends) {
    if (std::find(labels.begin(), labels.end(), sent.label) != labels.end()) continue;
    labels.push_back(sent.label);
    names.insert(ShortLabel(sent.label));
  }
  std::vector<std::string> texts;
  for (const std::string& label : labels) {
    std::vector<uint32_t> arriving;
    std::vector<uint32_t> missing;
    for (const SentMessage& sent : moment.sends) {
      if (sent.label == label) (sent.arrives ? arriving : missing).push_back(sent.to);
    }
    // The arrows tell the rest, unless names alone would not tell the messages apart.
    std::string text = names.size() == labels.size() ? ShortLabel(label) : label;
    if (!arriving.empty()) absl::StrAppend(&text, " to ", absl::StrJoin(arriving, ", "));
    if (!missing.empty()) {
      absl::StrAppend(&text,
                      arriving.empty() ? " to " : "; undelivered: ", absl::StrJoin(missing, ", "),
                      arriving.empty() ? ", undelivered" : "");
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace foretell::agent
