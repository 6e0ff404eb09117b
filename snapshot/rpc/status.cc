#include "foretell/snapshot/rpc/status.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::snapshot {
namespace {

// What kj puts in front of the text of an exception that was thrown on the other side.
const char* const kRemote = "remote exception: ";

// Cuts `prefix` off; false if `text` does not start with it.
bool Consume(std::string& text, const std::string& prefix) {
  if (text.rfind(prefix, 0) != 0) return false;
  text.erase(0, prefix.size());
  return true;
}

// Our side's statuses travel as "CODE: message", as absl prints them.
bool ParseCode(std::string& text, absl::StatusCode& code) {
  for (int i = 1; i <= static_cast<int>(absl::StatusCode::kUnauthenticated); ++i) {
    code = static_cast<absl::StatusCode>(i);
    if (Consume(text, absl::StrCat(absl::StatusCodeToString(code), ": "))) return true;
  }
  return false;
}

// The RPC system reports every reason for giving up a connection as a lost connection; only the
// text tells which it was. The tests pin these texts.
absl::StatusCode CodeOfLostConnection(const std::string& text) {
  const std::pair<const char*, absl::StatusCode> reasons[] = {
      {"essage is too large", absl::StatusCode::kResourceExhausted},
      {"essage has too many segments", absl::StatusCode::kInvalidArgument},
      {"essage contain", absl::StatusCode::kInvalidArgument},
      {"essage did not contain", absl::StatusCode::kInvalidArgument},
  };
  for (const auto& [part, code] : reasons) {
    if (text.find(part) != std::string::npos) return code;
  }
  return absl::StatusCode::kUnavailable;
}

}  // namespace

absl::Status ToStatus(const kj::Exception& exception) {
  using Type = kj::Exception::Type;
  std::string text = exception.getDescription().cStr();
  absl::StatusCode code = absl::StatusCode::kInternal;
  Consume(text, kRemote);
  if (ParseCode(text, code)) return absl::Status(code, text);
  switch (exception.getType()) {
    case Type::DISCONNECTED: return absl::Status(CodeOfLostConnection(text), text);
    case Type::OVERLOADED: return absl::ResourceExhaustedError(text);
    case Type::UNIMPLEMENTED: return absl::UnimplementedError(text);
    case Type::FAILED: break;
  }
  return absl::InternalError(text);
}

kj::Exception ToException(const absl::Status& status) {
  FORETELL_CHECK(!status.ok());
  const std::string text =
      absl::StrCat(absl::StatusCodeToString(status.code()), ": ", status.message());
  return kj::Exception(kj::Exception::Type::FAILED, __FILE__, __LINE__,
                       kj::heapString(text.data(), text.size()));
}

kj::Exception LostConnection(const std::string& why) {
  return kj::Exception(kj::Exception::Type::DISCONNECTED, __FILE__, __LINE__,
                       kj::heapString(why.data(), why.size()));
}

absl::Status Annotate(const absl::Status& status, const std::string& what) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(what, ": ", status.message()));
}

}  // namespace foretell::snapshot
