#include "foretell/integration/synod/family.h"

namespace foretell::integration::synod {

Family::Family()
    : model::Family<Protocol>({
          .name = "synod",
          .text = "Paxos with proposers, acceptors and a learner apart (DBSS Table I)",
          .scenarios = {{"paxos-6", "two proposers, three acceptors, a learner",
                         [](Protocol& p) { p.proposers = 2; }},
                        {"paxos-7", "three proposers, three acceptors, a learner",
                         [](Protocol& p) { p.proposers = 3; }}},
          .bugs = {{"accepts-all", "an acceptor accepts against its promise (Faulty-Paxos)",
                    [](Protocol& p) { p.bug = Bug::kAcceptsAll; }},
                   {"last-accepted",
                    "an acceptor remembers its last vote, not its highest (Faulty-Paxos2)",
                    [](Protocol& p) { p.bug = Bug::kLastAccepted; },
                    [](const Protocol& p, const std::string&) {
                      return p.proposers > 2 ? "" : "a third proposer";
                    }}},
          .parameters = {{"proposers", "how many there are, each with one proposal",
                          &Protocol::proposers, 1, 8},
                         {"acceptors", "how many there are", &Protocol::acceptors, 1, 9}},
          .version = FORETELL_SOURCE_VERSION,
      }) {}

}  // namespace foretell::integration::synod
