#include "foretell/model/foreign/service/op_names.h"

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/wire/foretell_service.h"

namespace foretell::model::foreign {

std::string OpName(uint32_t op) {
  switch (op) {
    case FORETELL_DESCRIBE: return "DESCRIBE";
    case FORETELL_OPEN: return "OPEN";
    case FORETELL_CLOSE: return "CLOSE";
    case FORETELL_INITIAL: return "INITIAL";
    case FORETELL_ACTIONS: return "ACTIONS";
    case FORETELL_RUN: return "RUN";
    case FORETELL_RUN_MANY: return "RUN_MANY";
    case FORETELL_PROJECT: return "PROJECT";
    case FORETELL_VIOLATES: return "VIOLATES";
    case FORETELL_RENDER: return "RENDER";
    case FORETELL_VALID: return "VALID";
    case FORETELL_RELEVANT: return "RELEVANT";
    case FORETELL_REACHED: return "REACHED";
    case FORETELL_KIND: return "KIND";
    case FORETELL_TIMING: return "TIMING";
    case FORETELL_CALLS: return "CALLS";
    case FORETELL_PARSE_CALL: return "PARSE_CALL";
    case FORETELL_ASK: return "ASK";
    case FORETELL_IMAGINE: return "IMAGINE";
    case FORETELL_WEIGHT: return "WEIGHT";
    case FORETELL_OPINION: return "OPINION";
    default: return absl::StrCat("op ", op);
  }
}

}  // namespace foretell::model::foreign
