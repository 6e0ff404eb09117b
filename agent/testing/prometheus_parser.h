#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace foretell::agent {

// A family of the text format 0.0.4.
struct PrometheusFamily {
  std::string help;
  std::string type;
  // By sample name and labels.
  std::map<std::pair<std::string, std::map<std::string, std::string>>, double> samples;
};

// Reads the text format and refuses everything that it does not allow, and what we do not do: a
// family without HELP or TYPE, samples out of place or twice, histograms that do not add up.
class PrometheusParser {
 public:
  using Families = std::map<std::string, PrometheusFamily>;

  // Throws std::runtime_error with the line.
  static Families Parse(const std::string& text) {
    PrometheusParser parser;
    if (!text.empty() && text.back() != '\n') throw std::runtime_error("no line feed at the end");
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) parser.Line(line);
    for (const auto& [name, family] : parser.families_) CheckFamily(name, family);
    return parser.families_;
  }

 private:
  void Line(const std::string& line) {
    static const std::regex kHelp("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    static const std::regex kType(
        "# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)");
    static const std::regex kSample(R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? ([^ ]+))re");
    std::smatch match;
    if (std::regex_match(line, match, kHelp)) {
      name_ = match[1];
      Require(families_.count(name_) == 0, line);
      families_[name_].help = match[2];
    } else if (std::regex_match(line, match, kType)) {
      Require(match[1] == name_ && families_[name_].type.empty(), line);
      families_[name_].type = match[2];
    } else {
      Require(std::regex_match(line, match, kSample), line);
      Sample(line, match[1], match[3], match[4]);
    }
  }

  void Sample(const std::string& line, const std::string& name, const std::string& labels,
              const std::string& value) {
    PrometheusFamily& family = families_[name_];
    Require(!family.type.empty(), line);
    if (family.type == "histogram") {
      Require(name == name_ + "_bucket" || name == name_ + "_sum" || name == name_ + "_count",
              line);
    } else {
      Require(name == name_, line);
    }
    Require(family.samples.insert({{name, Labels(line, labels)}, Number(line, value)}).second,
            line);
  }

  static std::map<std::string, std::string> Labels(const std::string& line,
                                                   const std::string& text) {
    std::map<std::string, std::string> labels;
    size_t at = 0;
    while (at < text.size()) {
      const size_t equals = text.find("=\"", at);
      Require(equals != std::string::npos, line);
      const std::string name = text.substr(at, equals - at);
      Require(std::regex_match(name, std::regex("[a-zA-Z_][a-zA-Z0-9_]*")), line);
      std::string value;
      at = equals + 2;
      for (; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] != '\\') {
          value += text[at];
          continue;
        }
        Require(++at < text.size(), line);
        Require(text[at] == 'n' || text[at] == '\\' || text[at] == '"', line);
        value += text[at] == 'n' ? '\n' : text[at];
      }
      Require(at < text.size(), line);
      Require(labels.insert({name, value}).second, line);
      ++at;
      if (at == text.size()) break;
      Require(text[at] == ',' && at + 1 < text.size(), line);
      ++at;
    }
    return labels;
  }

  static double Number(const std::string& line, const std::string& text) {
    if (text == "+Inf") return INFINITY;
    if (text == "-Inf") return -INFINITY;
    if (text == "NaN") return NAN;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    Require(*end == '\0', line);
    return value;
  }

  static void CheckFamily(const std::string& name, const PrometheusFamily& family) {
    Require(!family.type.empty(), name);
    if (family.type == "counter") {
      Require(name.ends_with("_total"), name);
      for (const auto& [key, value] : family.samples) Require(value >= 0, name);
    }
    if (family.type == "histogram") CheckHistogram(name, family);
  }

  static void CheckHistogram(const std::string& name, const PrometheusFamily& family) {
    std::map<std::map<std::string, std::string>, std::map<double, double>> buckets;
    for (const auto& [key, value] : family.samples) {
      if (key.first != name + "_bucket") continue;
      auto labels = key.second;
      Require(labels.count("le") == 1, name);
      const double bound = Number(name, labels["le"]);
      labels.erase("le");
      buckets[labels][bound] = value;
    }
    for (const auto& [labels, counts] : buckets) {
      double last = 0;
      for (const auto& [bound, count] : counts) {
        Require(count >= last, name);
        last = count;
      }
      Require(counts.count(INFINITY) == 1, name);
      Require(family.samples.at({name + "_count", labels}) == last, name);
      Require(family.samples.count({name + "_sum", labels}) == 1, name);
    }
  }

  static void Require(bool holds, const std::string& line) {
    if (!holds) throw std::runtime_error("not allowed: " + line);
  }

  Families families_;
  std::string name_;  // Of the family that lines belong to.
};

}  // namespace foretell::agent
