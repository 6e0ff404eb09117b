#include "foretell/model/event.h"

#include "foretell/model/check.h"

namespace foretell::model {

const char* KindName(EventKind kind) {
  switch (kind) {
    case EventKind::kDeliver: return "deliver";
    case EventKind::kAction: return "action";
    case EventKind::kCrash: return "crash";
    case EventKind::kRestart: return "restart";
    case EventKind::kBreak: return "break";
  }
  FORETELL_CHECK(false);
  return "";
}

}  // namespace foretell::model
