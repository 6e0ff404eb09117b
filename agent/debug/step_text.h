#pragma once

// The words for steps and states, as lists, moves and filters have them.

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/session.h"

namespace foretell::agent {

// "node 1: Vote(yes=yes) from 2, chooses 1".
std::string EventLine(const Execution& execution, size_t step);

// Messages in flight that the step loses: a stream breaks, or its end restarts.
size_t LostInFlight(const model::Service& service, const Execution& execution, size_t step);

// "node 1: voted=yes", one for each field of each node; a node that is not up says so.
std::vector<std::string> StateLines(const model::Service& service, const model::SystemCut& cut);
// The fields of one node, with its status as the field `node`.
std::vector<model::Field> FieldsOf(const model::Service& service, const model::SystemCut& cut,
                                   uint32_t node);
// True iff `field` is `wanted` or a part of it.
bool IsField(const std::string& field, const std::string& wanted);

// What is broken in a state, one sentence each; liveness predicates are not.
std::vector<std::string> BrokenLines(const model::PlainSystem& system, const TerminalStyle& style);

// A regular expression that was looked at. InvalidArgument says what is wrong with it.
absl::StatusOr<std::regex> ReadPattern(const std::string& pattern);
// Lines longer than some thousand characters are looked at up to there.
bool Matches(const std::string& line, const std::regex& pattern);

// Whether the session's filter lets a step of its execution through. REQUIRES: patterns that
// ReadPattern takes.
std::function<bool(size_t step)> ShownSteps(const Session& session);

// Says where we are: the step with all that it does, what is broken, and what is watched. `before`
// is where we come from.
void Tell(const Session& session, const model::SystemCut& before, const Screen& screen);

}  // namespace foretell::agent
