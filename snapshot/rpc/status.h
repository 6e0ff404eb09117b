#pragma once

// Only .cc files of this folder may include this: it brings in kj.

#include <kj/exception.h>

#include <string>

#include "absl/status/status.h"

namespace foretell::snapshot {

// The one place where kj exceptions become Status. A code that the other side gave to ToException
// arrives as the same code; a message beyond our limits is ResourceExhausted, one that is no
// message at all InvalidArgument, a lost connection Unavailable.
absl::Status ToStatus(const kj::Exception& exception);

// For a caller on the other side. REQUIRES: `status` is not ok.
kj::Exception ToException(const absl::Status& status);

// For our own use of kj's promises: the connection has ended, or is to end.
kj::Exception LostConnection(const std::string& why);

// `what` goes in front of the message; ok stays ok.
absl::Status Annotate(const absl::Status& status, const std::string& what);

}  // namespace foretell::snapshot
