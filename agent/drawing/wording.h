#pragma once

// The words of the drawings for a picture's parts.

#include <string>
#include <vector>

#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// `Accept(b=2, v=1) from 0`, `crash`, `break with 2`.
std::string EventText(const Moment& moment);

// What stands above a lane: `node 0`, or, where the node has a role, `0 coordinator`.
std::string HeaderText(const Lane& lane);
// Longer ones would push the lanes apart.
inline constexpr size_t kHeaderMax = 24;

// `chooses 1`, or, where choices have labels, `chooses commit`; empty if there is no choice.
std::string ChoicesText(const Moment& moment);

// Every change in full, in one line: `promised: 1 -> 2; chosen: - -> 7`.
std::string ChangesText(const std::vector<Change>& changes);

// Changes for people: parts of one thing in one line, names without the prefix `common`, and
// without the zeros and empty sets that come and go with a whole thing:
// `accepted: ballot 0 → 2, value 0 → 7`. An empty arrow gives the values alone: `ballot=2`.
std::vector<std::string> ChangeLines(const std::vector<Change>& changes, const std::string& common,
                                     const std::string& arrow);

// The longest dotted prefix that all changes of dotted names on the path share; may be empty.
std::string CommonPrefix(const SpaceTime& picture);

// `Prepare`: the name alone of `Prepare(b=1)`, where there is no room for more.
std::string ShortLabel(const std::string& label);

// `28 nodes without part in it are not shown`.
std::string BystandersText(const SpaceTime& picture);

// `28 steps between processes and mailboxes are not shown`.
std::string HiddenText(const SpaceTime& picture);

// Beside the step with which a cycle begins.
inline constexpr const char* kCycleText = "from here on, again and again";

// Like messages to several nodes as one text: `Prepare to 0, 1; undelivered: 2`.
std::vector<std::string> SendTexts(const Moment& moment);

}  // namespace foretell::agent
