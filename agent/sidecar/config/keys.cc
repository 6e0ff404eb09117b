#include "foretell/agent/sidecar/config/keys.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/console/nearest_name.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {
namespace {

using Form = ConfigKey::Form;
using Set = std::function<absl::Status(Config&, const std::string&)>;

Set Text(std::string Config::*member) {
  return [member](Config& config, const std::string& value) {
    config.*member = value;
    return absl::OkStatus();
  };
}

Set Tls(std::string snapshot::TlsFiles::*member) {
  return [member](Config& config, const std::string& value) {
    config.tls.*member = value;
    return absl::OkStatus();
  };
}

Set Duration(Config::Millis Config::*member) {
  return [member](Config& config, const std::string& value) {
    const auto parsed = ParseDuration(value);
    if (parsed.ok()) config.*member = *parsed;
    return parsed.status();
  };
}

Set Size(uint64_t Config::*member) {
  return [member](Config& config, const std::string& value) {
    const auto parsed = ParseSize(value);
    if (parsed.ok()) config.*member = *parsed;
    return parsed.status();
  };
}

Set Count(uint32_t Config::*member, uint64_t most) {
  return [member, most](Config& config, const std::string& value) -> absl::Status {
    const auto parsed = ParseCount(value);
    if (!parsed.ok()) return parsed.status();
    if (*parsed > most) {
      return absl::InvalidArgumentError(absl::StrCat(value, " is more than ", most));
    }
    config.*member = static_cast<uint32_t>(*parsed);
    return absl::OkStatus();
  };
}

Set List(std::vector<std::string> Config::*member) {
  return [member](Config& config, const std::string& value) {
    (config.*member).clear();
    for (const auto& part : absl::StrSplit(value, ',', absl::SkipWhitespace())) {
      (config.*member).emplace_back(part);
    }
    return absl::OkStatus();
  };
}

absl::Status SetCpu(Config& config, const std::string& value) {
  double share = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), share);
  if (error != std::errc() || end != value.data() + value.size() || !(share > 0 && share <= 64)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", value, "' is not a share of a core: 0.5 is half of one"));
  }
  config.cpu_max = share;
  return absl::OkStatus();
}

absl::Status SetSteps(Config& config, const std::string& value) {
  const auto parsed = ParseCount(value);
  if (parsed.ok()) config.steps_max = *parsed;
  return parsed.status();
}

absl::Status SetMode(Config& config, const std::string& value) {
  const auto parsed = snapshot::ParseMode(value);
  if (parsed.ok()) config.mode = *parsed;
  return parsed.status();
}

// Names that nobody knows would be found out by the agent's portfolio only, without a line.
absl::Status SetEngines(Config& config, const std::string& value) {
  List (&Config::engines)(config, value).IgnoreError();
  if (config.engines.empty()) {
    return absl::InvalidArgumentError("is empty: without engines nothing is predicted");
  }
  std::vector<std::string> names = {predictors::kKnownPaths};
  for (std::string& name : predictors::EngineNames()) names.push_back(std::move(name));
  for (const std::string& engine : config.engines) {
    if (std::find(names.begin(), names.end(), engine) == names.end()) {
      return UnknownName("engine", engine, names);
    }
  }
  return absl::OkStatus();
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
      {"service.name", "the service, one of `foretell services`", Form::kText,
       Text(&Config::service)},
      {"service.scenario", "where its nodes started; default: the live one", Form::kText,
       Text(&Config::scenario)},
      {"service.bug", "a planted bug, for experiments", Form::kText, Text(&Config::bug)},
      {"service.plugins", "libraries with further services", Form::kList, List(&Config::plugins)},
      {"tls.certificate", "PEM file; tcp addresses need all three", Form::kText,
       Tls(&snapshot::TlsFiles::certificate)},
      {"tls.key", "PEM file", Form::kText, Tls(&snapshot::TlsFiles::key)},
      {"tls.authority", "PEM file; who signs the nodes' certificates", Form::kText,
       Tls(&snapshot::TlsFiles::authority)},
      {"rounds.period", "from one round to the next; 1s", Form::kNumber, Duration(&Config::period)},
      {"rounds.budget", "for the search of one round; 500ms", Form::kNumber,
       Duration(&Config::budget)},
      {"rounds.steps_max", "for the same, so that it can be repeated; none", Form::kNumber,
       SetSteps},
      {"rounds.collect_timeout", "a node that takes longer is left out; 250ms", Form::kNumber,
       Duration(&Config::collect_timeout)},
      {"rounds.hint_gap", "least time between rounds started by nodes' hints; 20ms", Form::kNumber,
       Duration(&Config::hint_gap)},
      {"rounds.memory_max", "for the search of one round; 1GiB", Form::kNumber,
       Size(&Config::memory_max)},
      {"rounds.cpu_max", "share of one core, over time; 0.5", Form::kNumber, SetCpu},
      {"rounds.threads", "engines at a time; 2", Form::kNumber, Count(&Config::threads, 64)},
      {"rounds.engines", "in this order, dir as well; known, por, lmc, consequence", Form::kList,
       SetEngines},
      {"invariants.default", "off, observe, shadow or enforce; observe", Form::kText, SetMode},
      {"veto.lease", "after which a veto ends by itself; 5s", Form::kNumber,
       Duration(&Config::lease)},
      {"veto.filters_max", "at one time; 16", Form::kNumber, Count(&Config::filters_max, 1000)},
      {"archive.path", "file for all cuts; none", Form::kText, Text(&Config::archive)},
      {"archive.size_max", "of one file, then the next begins; 256MiB", Form::kNumber,
       Size(&Config::archive_size_max)},
      {"archive.files_max", "the oldest is deleted beyond; 4", Form::kNumber,
       Count(&Config::archive_files_max, 1000)},
      {"bundles.path", "folder for predicted violations; none", Form::kText,
       Text(&Config::bundles)},
      {"bundles.count_max", "no more are written beyond; 100", Form::kNumber,
       Count(&Config::bundles_max, 100000)},
      {"audit.path", "file for all decisions; none", Form::kText, Text(&Config::audit)},
      {"audit.size_max", "of one file, then the next begins; 64MiB", Form::kNumber,
       Size(&Config::audit_size_max)},
      {"audit.files_max", "the oldest is deleted beyond; 16", Form::kNumber,
       Count(&Config::audit_files_max, 1000)},
      {"health.listen", "HOST:PORT for /livez, /readyz, /metrics and a page; none", Form::kText,
       SetHealth},
      {"kill_switch.socket", "unix socket for `foretell agent --kill`; none", Form::kText,
       SetControl},
      {"kill_switch.file", "no veto while this file exists; none", Form::kText,
       Text(&Config::kill_file)},
  };
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
  return UnknownName("key", name, names);
}

std::string ConfigKeys() {
  std::string text;
  for (const ConfigKey& key : AllConfigKeys()) {
    absl::StrAppend(&text, "  ", key.name, std::string(24 - key.name.size(), ' '), key.text, "\n");
  }
  return text;
}

}  // namespace foretell::agent
