#include "foretell/integration/processes/families.h"

#include <memory>
#include <vector>

#include "foretell/integration/processes/flawed.h"
#include "foretell/integration/processes/ranks.h"
#include "foretell/integration/processes/systems.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::processes {
namespace {

std::unique_ptr<model::ServiceFamily> MakeOrder() {
  return std::make_unique<model::Family<FlawedOrder>>(model::FamilyRows<FlawedOrder>{
      .name = "flawed-order",
      .text = "a server that takes messages to come in order (Rosa et al. 2010, figure 4)",
      .scenarios = {{"figure-4", "one mailbox for all clients"},
                    {"own-mailboxes", "one mailbox for each client, asked in order: correct",
                     [](FlawedOrder& p) { p.in_order = true; }},
                    {"unchecked", "nothing is asserted: the whole space",
                     [](FlawedOrder& p) { p.unchecked = true; }}},
      .parameters = {{"clients", "how many clients send one value each", &FlawedOrder::clients, 1,
                      8}},
      .live = "figure-4",
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeReduce() {
  return std::make_unique<model::Family<FlawedReduce>>(model::FamilyRows<FlawedReduce>{
      .name = "flawed-reduce",
      .text = "a reduce that takes rounds to be apart (Rosa et al. 2010, figure 5)",
      .scenarios = {{"figure-5", "one mailbox for both clients"},
                    {"own-mailboxes", "one mailbox for each client: correct",
                     [](FlawedReduce& p) { p.in_order = true; }},
                    {"unchecked", "nothing is asserted: the whole space",
                     [](FlawedReduce& p) { p.unchecked = true; }}},
      .parameters = {{"rounds", "how many values each client sends", &FlawedReduce::rounds, 1, 8}},
      .live = "figure-5",
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeServer() {
  return std::make_unique<model::Family<MailboxServer>>(model::FamilyRows<MailboxServer>{
      .name = "mailbox-server",
      .text = "a server that adds up what its clients send, and forgets what it need not know",
      .scenarios = {{"three-clients", "three clients send one number each"}},
      .bugs = {{"stops-early", "the server ends one message too early",
                &MailboxServer::stops_early}},
      .parameters = {{"clients", "how many there are", &MailboxServer::clients, 1, 6}},
      .live = "three-clients",
      .version = FORETELL_SOURCE_VERSION});
}

// Where sends wait for their receives, and where they do not: what hangs in the first only hangs in
// systems with small buffers.
template <class P>
std::vector<model::ScenarioRow<P>> BufferedOrNot() {
  return {{"unbuffered", "a send is done when it is received"},
          {"buffered", "a send is done at once", &P::buffered}};
}

std::unique_ptr<model::ServiceFamily> MakeReduction() {
  return std::make_unique<model::Family<Reduction>>(model::FamilyRows<Reduction>{
      .name = "reduce",
      .text = "ranks whose digits make a number, in the order of ranks",
      .scenarios = {{"named", "rank 0 asks one rank after the other"}},
      .bugs = {{"as-they-come", "rank 0 takes whoever is first", &Reduction::as_they_come}},
      .parameters = {{"ranks", "how many there are", &Reduction::ranks, 2, 8},
                     {"rounds", "how many numbers they make", &Reduction::rounds, 1, 8}},
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeRing() {
  return std::make_unique<model::Family<Ring>>(model::FamilyRows<Ring>{
      .name = "ring",
      .text = "ranks pass numbers to the right until all have the sum",
      .scenarios = BufferedOrNot<Ring>(),
      .bugs = {{"sends-first", "everybody waits for its send before it receives: hangs unbuffered",
                &Ring::sends_first}},
      .parameters = {{"ranks", "how many there are", &Ring::ranks, 2, 8}},
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeMasterWorker() {
  return std::make_unique<model::Family<MasterWorker>>(model::FamilyRows<MasterWorker>{
      .name = "master-worker",
      .text = "a master gives out tasks and takes the results of whoever is done",
      .scenarios = BufferedOrNot<MasterWorker>(),
      .bugs = {{"in-turns", "takes the workers to be done in turns: hangs unbuffered",
                &MasterWorker::in_turns}},
      .parameters = {{"workers", "how many there are", &MasterWorker::workers, 1, 4},
                     {"tasks", "how many there are", &MasterWorker::tasks, 0, 8}},
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeHalo() {
  return std::make_unique<model::Family<Halo>>(model::FamilyRows<Halo>{
      .name = "halo",
      .text = "neighbours on a grid exchange their borders",
      .scenarios = BufferedOrNot<Halo>(),
      .bugs = {{"sends-first", "everybody waits for its sends before it receives: hangs unbuffered",
                &Halo::sends_first}},
      .parameters = {{"rows", "how many there are", &Halo::rows, 1, 4},
                     {"columns", "how many there are", &Halo::columns, 1, 4}},
      .live = "unbuffered",
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeSemaphores() {
  return std::make_unique<model::Family<Semaphores>>(model::FamilyRows<Semaphores>{
      .name = "semaphores",
      .text = "dining philosophers, with a semaphore for each fork",
      .scenarios = {{"one-left-handed", "the last philosopher takes the right fork first"}},
      .bugs = {{"all-right-handed", "everybody takes the left fork first: a deadlock",
                &Semaphores::all_alike}},
      .parameters = {{"philosophers", "how many there are", &Semaphores::philosophers, 2, 5}},
      .live = "one-left-handed",
      .version = FORETELL_SOURCE_VERSION});
}

std::unique_ptr<model::ServiceFamily> MakeBarrier() {
  return std::make_unique<model::Family<Barrier>>(model::FamilyRows<Barrier>{
      .name = "barrier",
      .text = "processes that wait for each other, round after round",
      .scenarios = {{"by-name", "everybody hears from everybody else"}},
      .bugs = {{"counts-only",
                "everybody counts who has come, and takes one that is a round ahead "
                "for one that has yet to come",
                &Barrier::counts_only}},
      .parameters = {{"processes", "how many there are", &Barrier::processes, 2, 5},
                     {"rounds", "how often they wait", &Barrier::rounds, 1, 4}},
      .version = FORETELL_SOURCE_VERSION});
}

}  // namespace

void AddFamilies(model::Catalog& catalog) {
  catalog.push_back(MakeOrder());
  catalog.push_back(MakeReduce());
  catalog.push_back(MakeServer());
  catalog.push_back(MakeReduction());
  catalog.push_back(MakeRing());
  catalog.push_back(MakeMasterWorker());
  catalog.push_back(MakeHalo());
  catalog.push_back(MakeSemaphores());
  catalog.push_back(MakeBarrier());
}

}  // namespace foretell::integration::processes
