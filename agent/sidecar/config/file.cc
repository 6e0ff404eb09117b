#include "foretell/agent/sidecar/config/file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/sidecar/config/keys.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

using Form = ConfigKey::Form;

constexpr uint32_t kNodesMax = 64;

std::string MustBe(Form form) {
  switch (form) {
    case Form::kList: return "must be a list of texts, like [\"a\", \"b\"]";
    case Form::kNumber: return "must be a number, or a text like \"2s\"";
    case Form::kText:
    case Form::kFile:
    case Form::kNewFile:
    case Form::kFolder: break;
  }
  return "must be a text in quotes";
}

std::optional<std::string> ListText(const toml::array& list) {
  std::vector<std::string> parts;
  for (const toml::node& element : list) {
    if (!element.is_string()) return std::nullopt;
    parts.push_back(element.as_string()->get());
  }
  return absl::StrJoin(parts, ",");
}

// A file name that is a number is more likely a mistake than a name: kinds are not mixed.
std::optional<std::string> TextOf(const toml::node& node, Form form) {
  if (const auto* text = node.as_string()) return text->get();
  if (form == Form::kList && node.is_array()) return ListText(*node.as_array());
  if (form != Form::kNumber || !node.is_number()) return std::nullopt;
  std::ostringstream text;
  node.visit([&text](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) text << value.get();
  });
  return text.str();
}

// Reads everything it can and remembers all that is wrong.
class Reader {
 public:
  Reader(Config& config, Mistakes& mistakes) : config_(config), mistakes_(mistakes) {}

  void ReadFile(const toml::table& root) {
    const std::vector<std::string> sections = ConfigSections();
    for (const auto& [section, node] : root) {
      const std::string name(section.str());
      if (name == "nodes") {
        ReadNodes(node);
      } else if (!node.is_table()) {
        Complain(node, name, "is not a section; write it below a [section]");
      } else if (std::find(sections.begin(), sections.end(), name) == sections.end()) {
        Complain(node, name, std::string(model::UnknownName("section", name, sections).message()));
      } else {
        ReadSection(name, *node.as_table());
      }
    }
  }

 private:
  // Of `node`, which messages call `shown`.
  Place At(const toml::node& node, const std::string& shown) const {
    const toml::source_position& where = node.source().begin;
    return {absl::StrCat(config_.file, ":", where.line, ":", where.column, ": ", shown), where.line,
            where.column};
  }
  void Complain(const toml::node& node, const std::string& key, const std::string& what) {
    mistakes_.Add(At(node, key), what);
  }

  void ReadSection(const std::string& section, const toml::table& table) {
    for (const auto& [word, node] : table) {
      const std::string name = section + "." + std::string(word.str());
      config_.places[name] = At(node, name);
      const ConfigKey* const key = FindConfigKey(name);
      if (key == nullptr && section != "invariants") {
        Complain(node, name, std::string(UnknownKey(name).message()));
        continue;
      }
      const Form form = key == nullptr ? Form::kText : key->value.form;
      const std::optional<std::string> value = TextOf(node, form);
      if (!value) {
        Complain(node, name, MustBe(form));
        continue;
      }
      const absl::Status status = SetConfigKey(config_, name, *value);
      if (!status.ok()) Complain(node, name, std::string(status.message()));
    }
  }

  void ReadNodes(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || !list->is_homogeneous<toml::table>()) {
      return Complain(node, "nodes", "write [[nodes]], once per node");
    }
    config_.places["nodes"] = At(list->front(), "nodes");
    const size_t before = mistakes_.count();
    std::vector<std::optional<WatchedNode>> nodes;
    for (const toml::node& element : *list) ReadNode(*element.as_table(), nodes);
    // Nodes that could not be read would only be missed.
    if (mistakes_.count() > before) return;
    for (size_t id = 0; id < nodes.size(); ++id) {
      if (!nodes[id]) {
        return Complain(node, "nodes",
                        absl::StrCat("node ", id, " is missing: ids are 0 to ", nodes.size() - 1));
      }
      config_.nodes.push_back(*nodes[id]);
    }
  }

  void CheckNodeKeys(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name != "id" && name != "address" && name != "steer") {
        const absl::Status unknown = model::UnknownName("key", name, {"id", "address", "steer"});
        Complain(node, "nodes", std::string(unknown.message()));
      }
    }
    // Whoever writes "false" must not get vetoes.
    const toml::node* const steer = table.get("steer");
    if (steer != nullptr && !steer->is_boolean()) {
      Complain(*steer, "nodes.steer", "must be true or false, without quotes");
    }
  }

  void ReadNode(const toml::table& table, std::vector<std::optional<WatchedNode>>& nodes) {
    CheckNodeKeys(table);
    const std::optional<int64_t> id = table["id"].value<int64_t>();
    if (!id || *id < 0 || *id >= kNodesMax) {
      return Complain(table, "nodes.id",
                      absl::StrCat("must be a number from 0 to ", kNodesMax - 1));
    }
    const std::optional<std::string> text = table["address"].value<std::string>();
    if (!text) return Complain(table, "nodes.address", "is missing");
    const toml::node& written = *table["address"].node();
    config_.places[absl::StrCat("nodes.", *id)] = At(written, "nodes.address");
    const auto address = snapshot::ParseAddress(*text);
    if (!address.ok()) {
      return Complain(written, "nodes.address", std::string(address.status().message()));
    }
    const auto index = static_cast<size_t>(*id);
    if (nodes.size() <= index) nodes.resize(index + 1);
    if (nodes[index]) {
      return Complain(table, "nodes.id", absl::StrCat("node ", index, " is there twice"));
    }
    nodes[index] = WatchedNode{*address, table["steer"].value_or(true)};
  }

  Config& config_;
  Mistakes& mistakes_;
};

}  // namespace

absl::Status ReadConfigFile(const std::string& text, Config& config, Mistakes& mistakes) {
  // The one place where toml++'s exceptions end.
  try {
    Reader(config, mistakes).ReadFile(toml::parse(text, config.file));
  } catch (const toml::parse_error& error) {
    const toml::source_region& where = error.source();
    return absl::InvalidArgumentError(absl::StrCat(config.file, ":", where.begin.line, ":",
                                                   where.begin.column, ": ",
                                                   std::string(error.description())));
  }
  return absl::OkStatus();
}

}  // namespace foretell::agent
