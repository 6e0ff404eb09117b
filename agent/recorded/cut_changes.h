#pragma once

#include <string>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// How live nodes came from one cut to the next, for people: for each pair of cuts a heading, and a
// line per node that changed, with the fields that did, indented. Bodies are valid for `service`
// (those that are not are left out, and said to be).
std::vector<std::string> ChangesBetween(const model::Service& service,
                                        const std::vector<snapshot::RecordedSnapshot>& cuts);

}  // namespace foretell::agent
