#include "foretell/model/foreign/host_library.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/carriers/library_carrier.h"
#include "foretell/model/foreign/carriers/service_symbols.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/foreign/wire/frame.h"

namespace foretell::model {
namespace {

using foreign::Reader;
using foreign::Writer;

// False at the end of the input.
bool ReadAll(int file, std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = read(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

bool WriteAll(int file, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

int32_t CodeOf(const absl::Status& status) {
  if (status.ok()) return FORETELL_OK;
  if (absl::IsUnimplemented(status)) return FORETELL_UNSUPPORTED;
  if (absl::IsInvalidArgument(status)) return FORETELL_MALFORMED;
  return FORETELL_INTERNAL;
}

}  // namespace

absl::Status HostLibrary(const std::string& path) {
  const absl::StatusOr<foreign::ServiceSymbols> symbols = foreign::FindService(path);
  if (!symbols.ok()) return symbols.status();
  if (symbols->call == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("plug-in ", path, ": no foretell_service_call"));
  }
  foreign::LibraryCarrier carrier(symbols->call);
  // What the library prints must not come between the frames.
  const int replies = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  for (std::string header(8, '\0'); ReadAll(STDIN_FILENO, header);) {
    Reader in(header);
    std::string request(in.U32("size"), '\0');
    const uint32_t op = in.U32("op");
    if (!ReadAll(STDIN_FILENO, request)) break;
    std::string reply;
    const absl::Status status = carrier.Call(op, request, reply);
    if (!status.ok()) reply = std::string(status.message());
    Writer frame;
    frame.U32(static_cast<uint32_t>(reply.size()));
    frame.U32(static_cast<uint32_t>(CodeOf(status)));
    if (!WriteAll(replies, frame.bytes() + reply)) break;
  }
  close(replies);
  return absl::OkStatus();
}

}  // namespace foretell::model
