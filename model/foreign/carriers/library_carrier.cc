#include "foretell/model/foreign/carriers/library_carrier.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/carriers/answer.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/foreign/wire/frame.h"

namespace foretell::model::foreign {
namespace {

constexpr size_t kRoomFirst = 64 * 1024;
// Stands behind the room that a library may fill. Who writes there says so by it.
constexpr char kFence[] = "behind the reply";

}  // namespace

absl::Status LibraryCarrier::Ask(uint32_t op, std::string_view request, std::string& reply) const {
  thread_local std::string room(kRoomFirst + sizeof(kFence), '\0');
  for (int attempt = 0; attempt < 2; ++attempt) {
    const size_t capacity = room.size() - sizeof(kFence);
    std::memcpy(room.data() + capacity, kFence, sizeof(kFence));
    room[0] = '\0';  // For services that say no more than a code.
    const int64_t size =
        function_(op, reinterpret_cast<const uint8_t*>(request.data()), request.size(),
                  reinterpret_cast<uint8_t*>(room.data()), capacity);
    if (std::memcmp(room.data() + capacity, kFence, sizeof(kFence)) != 0) {
      return absl::AbortedError(
          absl::StrCat("the library wrote more than the ", capacity, " bytes that it was given"));
    }
    if (size < 0) {
      return StatusOf(size, std::string(room.data(), strnlen(room.data(), capacity)));
    }
    if (static_cast<uint64_t>(size) <= capacity) {
      reply.assign(room.data(), static_cast<size_t>(size));
      return absl::OkStatus();
    }
    if (size > kReplyMax) {
      return absl::AbortedError(
          absl::StrCat("a reply of ", size, " bytes, at most ", kReplyMax, " are read"));
    }
    room.resize(static_cast<size_t>(size) + sizeof(kFence));
  }
  return absl::AbortedError("a reply that was larger when it was asked for again");
}

absl::Status LibraryCarrier::Call(uint32_t op, std::string_view request, std::string& reply) {
  if (!one_thread_) return Ask(op, request, reply);
  const MutexLock lock(mutex_);
  return Ask(op, request, reply);
}

absl::Status LibraryCarrier::Open(uint32_t, const std::string& request, std::string& reply) {
  return Call(FORETELL_OPEN, request, reply);
}

void LibraryCarrier::Close(uint32_t system) {
  Writer request;
  request.U32(system);
  std::string reply;
  Call(FORETELL_CLOSE, request.bytes(), reply).IgnoreError();  // Not everybody cares.
}

}  // namespace foretell::model::foreign
