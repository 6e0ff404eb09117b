#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace foretell::agent {

using TextMap = std::map<std::string, std::string>;  // Attributes, with values as text.

struct ReceivedSpan {
  std::string trace, id, parent;  // Hexadecimal; `parent` of a root is empty.
  std::string name;
  uint64_t start = 0, end = 0;  // Nanoseconds since 1970.
  bool client = false;
  std::string error;  // "!" and the description if the status is an error.
  TextMap attributes;
  TextMap resource;
};

struct ReceivedLog {
  std::string trace, span;
  std::string event_name;
  std::string severity;
  std::string body;
  TextMap attributes;
  TextMap resource;
};

struct ReceivedPoint {
  std::string unit;
  std::string kind;  // "sum", "gauge", "histogram".
  TextMap attributes;
  double value = 0;  // Of a histogram: the sum.
  uint64_t count = 0;
  std::vector<double> bounds;
  TextMap resource;
};

// All that has arrived, decoded by the official proto files' own code.
struct Received {
  std::vector<ReceivedSpan> spans;
  std::vector<ReceivedLog> logs;
  std::multimap<std::string, ReceivedPoint> points;  // By metric, of the latest request.
  std::vector<std::string> errors;                   // Requests that could not be decoded.
  std::vector<std::string> content_types;            // Of HTTP requests.
  size_t requests = 0;
};

// An OTLP endpoint for tests, on a port of 127.0.0.1.
class OtlpCollector {
 public:
  static std::unique_ptr<OtlpCollector> Grpc(uint16_t port = 0);
  static std::unique_ptr<OtlpCollector> Http(uint16_t port = 0);
  // Releases what hangs, and stops.
  virtual ~OtlpCollector() = default;

  virtual uint16_t port() const = 0;
  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port()); }
  // From now on, requests get no answer until Release.
  virtual void Hang() = 0;
  virtual void Release() = 0;
  // How many items of each request are told to be refused.
  virtual void Refuse(int64_t items) = 0;
  virtual Received received() const = 0;
  // Blocks until `done` holds of what was received; false if it does not within a minute.
  virtual bool WaitUntil(const std::function<bool(const Received&)>& done) const = 0;
};

}  // namespace foretell::agent
