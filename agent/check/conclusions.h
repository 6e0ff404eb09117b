#pragma once

#include <string>
#include <vector>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/formats/findings.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// The record, judged invariant by invariant: one holds only if the whole space was covered. The
// result points into `pictures`, which holds one entry per violation.
Findings Conclude(const model::Service& service, const CheckRecord& record,
                  const std::vector<SpaceTime>& pictures, const CheckRequest& asked,
                  const std::string& command);

}  // namespace foretell::agent
