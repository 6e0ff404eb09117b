#include "foretell/agent/sidecar/config/keys.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/model/nearest_name.h"
#include "foretell/predictors/engines.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/guard.h"

namespace foretell::agent {
namespace {

using Form = ConfigKey::Form;
using Value = ConfigKey::Value;

Value Text(std::string Config::*member, Form form = Form::kText) {
  return {form,
          [member](Config& config, const std::string& value) {
            config.*member = value;
            return absl::OkStatus();
          },
          [member](const Config& config) { return config.*member; }};
}

Value Tls(std::string snapshot::TlsFiles::*member) {
  return {Form::kFile,
          [member](Config& config, const std::string& value) {
            config.tls.*member = value;
            return absl::OkStatus();
          },
          [member](const Config& config) { return config.tls.*member; }};
}

Value Duration(Config::Millis Config::*member) {
  return {Form::kNumber,
          [member](Config& config, const std::string& value) {
            const auto parsed = ParseDuration(value);
            if (parsed.ok()) config.*member = *parsed;
            return parsed.status();
          },
          [member](const Config& config) { return DurationText(config.*member); }};
}

Value Size(uint64_t Config::*member) {
  return {Form::kNumber,
          [member](Config& config, const std::string& value) {
            const auto parsed = ParseSize(value);
            if (parsed.ok()) config.*member = *parsed;
            return parsed.status();
          },
          [member](const Config& config) { return SizeText(config.*member); }};
}

Value Count(uint32_t Config::*member, uint64_t most) {
  return {Form::kNumber,
          [member, most](Config& config, const std::string& value) -> absl::Status {
            const auto parsed = ParseCount(value);
            if (!parsed.ok()) return parsed.status();
            if (*parsed > most) {
              return absl::InvalidArgumentError(absl::StrCat(value, " is more than ", most));
            }
            config.*member = static_cast<uint32_t>(*parsed);
            return absl::OkStatus();
          },
          [member](const Config& config) { return absl::StrCat(config.*member); }};
}

Value List(std::vector<std::string> Config::*member) {
  return {Form::kList,
          [member](Config& config, const std::string& value) {
            (config.*member).clear();
            for (const auto& part : absl::StrSplit(value, ',', absl::SkipWhitespace())) {
              (config.*member).emplace_back(part);
            }
            return absl::OkStatus();
          },
          [member](const Config& config) { return absl::StrJoin(config.*member, ","); }};
}

// `value` with another way to set it.
template <class Set>
Value Checked(Value value, Set set) {
  value.set = set;
  return value;
}

Value Share(double Config::*member) {
  return {Form::kNumber,
          [member](Config& config, const std::string& value) -> absl::Status {
            double share = 0;
            const char* const last = value.data() + value.size();
            const auto [end, error] = std::from_chars(value.data(), last, share);
            if (error != std::errc() || end != last || !(share > 0 && share <= 64)) {
              return absl::InvalidArgumentError(
                  absl::StrCat("'", value, "' is not a share of a core: 0.5 is half of one"));
            }
            config.*member = share;
            return absl::OkStatus();
          },
          [member](const Config& config) { return absl::StrCat(config.*member); }};
}

// Empty: as many as there is time for.
Value Steps(uint64_t Config::*member) {
  return {Form::kNumber,
          [member](Config& config, const std::string& value) {
            const auto parsed = ParseCount(value);
            if (parsed.ok()) config.*member = *parsed;
            return parsed.status();
          },
          [member](const Config& config) {
            return config.*member == UINT64_MAX ? "" : absl::StrCat(config.*member);
          }};
}

Value ModeValue(snapshot::Mode Config::*member) {
  return {
      Form::kText,
      [member](Config& config, const std::string& value) {
        const auto parsed = snapshot::ParseMode(value);
        if (parsed.ok()) config.*member = *parsed;
        return parsed.status();
      },
      [member](const Config& config) -> std::string { return snapshot::ModeName(config.*member); }};
}

Value FaultsValue(predictors::ImaginedFaults Config::*member) {
  return {Form::kText,
          [member](Config& config, const std::string& value) {
            const auto parsed = predictors::ParseImaginedFaults(value);
            if (parsed.ok()) config.*member = *parsed;
            return parsed.status();
          },
          [member](const Config& config) -> std::string {
            return predictors::ImaginedFaultsName(config.*member);
          }};
}

// Names that nobody knows would be found out by the agent's portfolio only, without a line.
absl::Status SetEngines(Config& config, const std::string& value) {
  List(&Config::engines).set(config, value).IgnoreError();
  if (config.engines.empty()) {
    return absl::InvalidArgumentError("is empty: without engines nothing is predicted");
  }
  std::vector<std::string> names = {predictors::kKnownPaths};
  for (std::string& name : predictors::EngineNames()) names.push_back(std::move(name));
  for (const std::string& engine : config.engines) {
    if (std::find(names.begin(), names.end(), engine) == names.end()) {
      return model::UnknownName("engine", engine, names);
    }
  }
  return absl::OkStatus();
}

// "in this order, dir as well; known, por, lmc, consequence".
std::string EnginesText() {
  const std::vector<std::string> defaults = predictors::DefaultPredictors();
  std::vector<std::string> others = predictors::EngineNames();
  std::erase_if(others, [&](const std::string& name) {
    return std::find(defaults.begin(), defaults.end(), name) != defaults.end();
  });
  return absl::StrCat("in this order", others.empty() ? "" : ", ", absl::StrJoin(others, ", "),
                      others.empty() ? "" : " as well");
}

absl::Status SetHold(Config& config, const std::string& value) {
  if (absl::Status status = Duration(&Config::hold).set(config, value); !status.ok()) return status;
  if (config.hold.count() > 0 && config.hold <= snapshot::kHoldMax) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", value, "' is not from 1ms to ", snapshot::kHoldMax.count(), "ms"));
}

absl::Status SetAgentName(Config& config, const std::string& value) {
  config.agent_name = value;
  if (value.size() <= snapshot::kAgentNameMax) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("has ", value.size(), " bytes, at most ", snapshot::kAgentNameMax));
}

absl::Status SetHealth(Config& config, const std::string& value) {
  if (!value.empty() && !HealthAddress(value).ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", value, "' is not HOST:PORT, like 127.0.0.1:9464; ports end at 65535"));
  }
  config.health = value;
  return absl::OkStatus();
}

absl::Status SetControl(Config& config, const std::string& value) {
  config.control = value;
  return value.empty() ? absl::OkStatus() : snapshot::ParseAddress("unix:" + value).status();
}

std::vector<ConfigKey> MakeKeys() {
  return {
#define FORETELL_SETTING(type, member, standard, ...) {__VA_ARGS__},
#define FORETELL_KEY(...) {__VA_ARGS__},
#include "foretell/agent/sidecar/config/settings.inc"
#undef FORETELL_KEY
#undef FORETELL_SETTING
  };
}

// The default, for people.
std::string DefaultText(const ConfigKey& key) {
  const std::string value = key.value.get({});
  if (value.empty()) return key.unset;
  return key.value.form == Form::kList ? absl::StrReplaceAll(value, {{",", ", "}}) : value;
}

}  // namespace

absl::StatusOr<snapshot::Address> HealthAddress(const std::string& listen) {
  return snapshot::ParseAddress("tcp:" + listen);
}

const std::vector<ConfigKey>& AllConfigKeys() {
  static const std::vector<ConfigKey> keys = MakeKeys();
  return keys;
}

const ConfigKey* FindConfigKey(const std::string& name) {
  for (const ConfigKey& key : AllConfigKeys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::vector<std::string> ConfigSections() {
  std::vector<std::string> sections = {"nodes"};
  for (const ConfigKey& key : AllConfigKeys()) {
    std::string section = key.name.substr(0, key.name.find('.'));
    if (sections.back() != section) sections.push_back(std::move(section));
  }
  return sections;
}

absl::Status UnknownKey(const std::string& name) {
  std::vector<std::string> names;
  for (const ConfigKey& key : AllConfigKeys()) names.push_back(key.name);
  return model::UnknownName("key", name, names);
}

std::string ConfigKeys() {
  std::string text;
  for (const ConfigKey& key : AllConfigKeys()) {
    absl::StrAppend(&text, "  ", key.name, std::string(24 - key.name.size(), ' '), key.text, "; ",
                    DefaultText(key), "\n");
  }
  return text;
}

}  // namespace foretell::agent
