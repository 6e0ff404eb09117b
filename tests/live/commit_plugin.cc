// Two-phase commit as a plug-in, for nodes and agents of live tests.

#include "foretell/predictors/testing/commit_protocol.h"
#include "foretell/service.h"

using foretell::predictors::testing::CommitProtocol;

FORETELL_PLUGIN(foretell::Family<CommitProtocol>({
    .name = "commit",
    .text = "Two-phase commit with a coordinator that may crash.",
    .bugs = {{"forgets-decision", "The coordinator tells its decision before it is on disk.",
              &CommitProtocol::forgets_decision},
             {"impatient", "A participant in doubt aborts after a while.",
              &CommitProtocol::impatient}},
}))
