#include "agent/sidecar/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "agent/nearest_name.h"
#include "agent/sidecar/config_keys.h"
#include "snapshot/delta.h"

namespace foretell::agent {
namespace {

constexpr uint32_t kNodesMax = 64;

// Reads everything it can and remembers all that is wrong: one run shows every mistake.
class Reader {
 public:
  Reader(std::string file, Config& config) : file_(std::move(file)), config_(config) {}

  void ReadFile(const toml::table& root) {
    for (const auto& [section, node] : root) {
      const std::string name(section.str());
      if (name == "nodes") {
        ReadNodes(node);
      } else if (const toml::table* table = node.as_table()) {
        ReadSection(name, *table);
      } else {
        Complain(node.source(), name, "is not a section; write it below a [section]");
      }
    }
  }

  void ReadOverrides(const Overrides& overrides) {
    for (const ConfigKey& key : AllConfigKeys()) {
      const std::string variable =
          "FORETELL_" + absl::AsciiStrToUpper(absl::StrReplaceAll(key.name, {{".", "_"}}));
      const auto found = overrides.environment.find(variable);
      if (found != overrides.environment.end()) Apply(variable, key.name, found->second);
    }
    for (const auto& [name, value] : overrides.settings) Apply("--set " + name, name, value);
  }

  absl::Status Finish() {
    if (config_.service.empty()) mistakes_.push_back(file_ + ": service.name is missing");
    if (config_.nodes.empty()) {
      mistakes_.push_back(file_ + ": there is no [[nodes]] entry: which nodes are to be watched?");
    }
    if (mistakes_.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrJoin(mistakes_, "\n"));
  }

 private:
  void Complain(const toml::source_region& where, const std::string& key, const std::string& what) {
    mistakes_.push_back(
        absl::StrCat(file_, ":", where.begin.line, ":", where.begin.column, ": ", key, ": ", what));
  }

  static std::vector<std::string> KeyNames() {
    std::vector<std::string> names;
    for (const ConfigKey& key : AllConfigKeys()) names.push_back(key.name);
    return names;
  }

  absl::Status Set(const std::string& name, const std::string& value) {
    if (name.starts_with("invariants.") && name != "invariants.default") {
      const auto mode = snapshot::ParseMode(value);
      if (mode.ok()) config_.modes[name.substr(std::string("invariants.").size())] = *mode;
      return mode.status();
    }
    for (const ConfigKey& key : AllConfigKeys()) {
      if (key.name == name) return key.set(config_, value);
    }
    return UnknownName("key", name, KeyNames());
  }

  void Apply(const std::string& source, const std::string& name, const std::string& value) {
    const absl::Status status = Set(name, value);
    if (!status.ok())
      mistakes_.push_back(absl::StrCat(source, ": ", std::string(status.message())));
  }

  void ReadSection(const std::string& section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string name = section + "." + std::string(key.str());
      const std::optional<std::string> value = TextOf(node);
      if (!value) {
        Complain(node.source(), name,
                 "must be a text, a number, true or false, or a list of texts");
        continue;
      }
      const absl::Status status = Set(name, *value);
      if (!status.ok()) Complain(node.source(), name, std::string(status.message()));
    }
  }

  static std::optional<std::string> TextOf(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* list = node.as_array()) {
      std::vector<std::string> parts;
      for (const toml::node& element : *list) {
        if (!element.is_string()) return std::nullopt;
        parts.push_back(element.as_string()->get());
      }
      return absl::StrJoin(parts, ",");
    }
    if (!node.is_integer() && !node.is_floating_point() && !node.is_boolean()) return std::nullopt;
    std::ostringstream text;
    node.visit([&text](const auto& value) {
      if constexpr (toml::is_value<decltype(value)>) text << std::boolalpha << value.get();
    });
    return text.str();
  }

  void ReadNodes(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return Complain(node.source(), "nodes", "write [[nodes]], once per node");
    std::vector<std::optional<WatchedNode>> nodes;
    for (const toml::node& element : *list) {
      if (element.is_table()) ReadNode(*element.as_table(), nodes);
    }
    for (size_t id = 0; id < nodes.size(); ++id) {
      if (!nodes[id]) {
        return Complain(node.source(), "nodes",
                        absl::StrCat("node ", id, " is missing: ids are 0 to ", nodes.size() - 1));
      }
      config_.nodes.push_back(*nodes[id]);
    }
  }

  void ReadNode(const toml::table& table, std::vector<std::optional<WatchedNode>>& nodes) {
    WatchedNode watched;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name != "id" && name != "address" && name != "steer") {
        const absl::Status unknown = UnknownName("key", name, {"id", "address", "steer"});
        Complain(node.source(), "nodes", std::string(unknown.message()));
      }
    }
    const std::optional<int64_t> id = table["id"].value<int64_t>();
    if (!id || *id < 0 || *id >= kNodesMax) {
      return Complain(table.source(), "nodes.id",
                      absl::StrCat("must be a number from 0 to ", kNodesMax - 1));
    }
    const std::optional<std::string> text = table["address"].value<std::string>();
    if (!text) return Complain(table.source(), "nodes.address", "is missing");
    const auto address = snapshot::ParseAddress(*text);
    if (!address.ok()) {
      return Complain(table["address"].node()->source(), "nodes.address",
                      std::string(address.status().message()));
    }
    watched.address = *address;
    watched.steer = table["steer"].value_or(true);
    const auto index = static_cast<size_t>(*id);
    if (nodes.size() <= index) nodes.resize(index + 1);
    if (nodes[index]) {
      return Complain(table.source(), "nodes.id", absl::StrCat("node ", index, " is there twice"));
    }
    nodes[index] = watched;
  }

  std::string file_;
  Config& config_;
  std::vector<std::string> mistakes_;
};

// Names what the agent was told, whatever way it was told: equal texts, equal hash.
std::string HashOf(const std::string& text, const Overrides& overrides) {
  std::string all = text;
  for (const auto& [name, value] : overrides.environment) {
    if (name.starts_with("FORETELL_")) absl::StrAppend(&all, "\n", name, "=", value);
  }
  for (const auto& [name, value] : overrides.settings)
    absl::StrAppend(&all, "\n", name, "=", value);
  return absl::StrCat(absl::Hex(snapshot::Hash(all), absl::kZeroPad16));
}

}  // namespace

snapshot::Mode Config::ModeOf(const std::string& invariant) const {
  const auto found = modes.find(invariant);
  return found == modes.end() ? mode : found->second;
}

absl::StatusOr<Config> ParseConfig(const std::string& file, const std::string& text,
                                   const Overrides& overrides) {
  Config config;
  Reader reader(file, config);
  // The one place where toml++'s exceptions end.
  try {
    reader.ReadFile(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    const toml::source_region& where = error.source();
    return absl::InvalidArgumentError(absl::StrCat(file, ":", where.begin.line, ":",
                                                   where.begin.column, ": ",
                                                   std::string(error.description())));
  }
  reader.ReadOverrides(overrides);
  if (absl::Status status = reader.Finish(); !status.ok()) return status;
  config.hash = HashOf(text, overrides);
  return config;
}

}  // namespace foretell::agent
