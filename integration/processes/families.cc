#include "foretell/integration/processes/families.h"

#include <memory>

#include "foretell/integration/processes/flawed.h"
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

std::unique_ptr<model::ServiceFamily> MakeHalo() {
  return std::make_unique<model::Family<Halo>>(model::FamilyRows<Halo>{
      .name = "halo",
      .text = "neighbours on a grid exchange their borders",
      .scenarios = {{"two-by-two", "sends are done when they are received"},
                    {"buffered", "sends are done at once", &Halo::buffered}},
      .bugs = {{"sends-first", "everybody waits for its sends before it receives: hangs unbuffered",
                &Halo::sends_first}},
      .live = "two-by-two",
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

}  // namespace

void AddFamilies(model::Catalog& catalog) {
  catalog.push_back(MakeOrder());
  catalog.push_back(MakeReduce());
  catalog.push_back(MakeServer());
  catalog.push_back(MakeHalo());
  catalog.push_back(MakeSemaphores());
}

}  // namespace foretell::integration::processes
