#include "foretell/tests/bench/simgrid/collectives.h"

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/process/messages.h"
#include "foretell/model/process/mpi/mpi.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/dpor/dpor_explorer.h"

namespace foretell::bench {
namespace {

namespace mpi = model::process::mpi;

using model::process::Mailbox;
using model::process::Program;
using model::process::Task;

using Box = Mailbox<uint32_t>;

uint32_t Add(uint32_t a, uint32_t b) { return a + b; }

Task<> Nothing(mpi::Communicator) { co_return; }
Task<> Barrier(mpi::Communicator world) { co_await mpi::Barrier(world); }
Task<> Bcast(mpi::Communicator world) { co_await mpi::Bcast(world, 0, world.rank()); }
Task<> Reduce(mpi::Communicator world) { co_await mpi::Reduce(world, 0, world.rank(), Add); }
Task<> Allreduce(mpi::Communicator world) { co_await mpi::Allreduce(world, world.rank(), Add); }
Task<> Gather(mpi::Communicator world) { co_await mpi::Gather(world, 0, world.rank()); }
Task<> Scatter(mpi::Communicator world) {
  const std::vector<uint32_t> values(world.size(), world.rank());
  co_await mpi::Scatter(world, 0, values);
}
Task<> Alltoall(mpi::Communicator world) {
  const std::vector<uint32_t> values(world.size(), world.rank());
  co_await mpi::Alltoall(world, values);
}

using Collective = Task<> (*)(mpi::Communicator);

// The program of figure 4, by ranks.
Task<> Rank(mpi::Communicator world, Box box, Collective collective) {
  co_await collective(world);
  if (world.rank() > 0) co_await model::process::SendTo(box, world.rank());
  for (uint32_t i = 1; world.rank() == 0 && i < world.size(); ++i) {
    co_await model::process::Receive(box);
  }
  co_await collective(world);
}

model::Report Follow(Collective collective) {
  constexpr uint32_t kRanks = 4;
  Program program;
  const Box box = program.AddMailbox<uint32_t>("mailbox");
  mpi::AddRanks(program, kRanks,
                [=](mpi::Communicator world) { return Rank(world, box, collective); });
  const auto service = model::MakeService(model::process::Protocol(std::move(program)));
  model::Budget budget({}, [] { return model::Budget::Time(); });
  return search::MakeDporExplorer(*service, {})
      ->Explore(model::InitialCut(*service), budget)
      .value();
}

}  // namespace

bool PrintCollectives() {
  struct Row {
    const char* name;
    Collective collective;
  };
  std::cout << "\nfigure 4 by ranks, between two of     traces    steps\n";
  const uint64_t alone = *Follow(Nothing).stats.traces;
  bool right = true;
  for (const Row& row : {Row{"nothing", Nothing}, Row{"Barrier", Barrier}, Row{"Bcast", Bcast},
                         Row{"Reduce", Reduce}, Row{"Allreduce", Allreduce}, Row{"Gather", Gather},
                         Row{"Scatter", Scatter}, Row{"Alltoall", Alltoall}}) {
    const model::Report report = Follow(row.collective);
    const bool same = report.complete && *report.stats.traces == alone;
    right = right && same;
    std::cout << "  " << std::left << std::setw(34) << row.name << std::right << std::setw(8)
              << *report.stats.traces << std::setw(9) << *report.stats.transitions
              << (same ? "" : "  WRONG") << '\n';
  }
  return right;
}

}  // namespace foretell::bench
