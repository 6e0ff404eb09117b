#pragma once

namespace foretell::bench {

// Prints the executions of a program of four ranks, alone and with collectives before and behind
// it. False if one of them adds any.
bool PrintCollectives();

}  // namespace foretell::bench
