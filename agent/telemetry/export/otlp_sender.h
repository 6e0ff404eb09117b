#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "foretell/agent/telemetry/export/settings.h"

namespace google::protobuf {
class Message;
}

namespace foretell::agent {

// Takes requests of one signal to its OTLP endpoint. Endpoint, headers, TLS files, compression and
// timeout are those that the SDK reads from the environment.
class OtlpSender {
 public:
  virtual ~OtlpSender() = default;
  // `request` is the Export...ServiceRequest of the signal. Returns how many items the endpoint
  // refused, or nothing if the request was not delivered. Blocks for as long as the timeout allows.
  virtual std::optional<uint64_t> Send(const google::protobuf::Message& request) noexcept = 0;
  // Ends a Send under way, if the transport can, and all that follow. From any thread.
  virtual void Cancel() noexcept = 0;
};

std::unique_ptr<OtlpSender> MakeGrpcSender(Signal signal);
// The SDK's HTTP client cannot be cancelled: a Send under way lasts until its timeout.
std::unique_ptr<OtlpSender> MakeHttpSender(Signal signal, bool json);

}  // namespace foretell::agent
