#pragma once

// Programs of ranks, as they are written with MPI:
//
//   Task<> Rank(mpi::Communicator world) {
//     const uint32_t right = (world.rank() + 1) % world.size();
//     const auto sent = co_await Isend(world, right, world.rank());
//     const auto got = co_await mpi::Recv<uint32_t>(world, mpi::kAnySource);
//     co_await Wait(sent);
//     co_await Barrier(world);
//   }
//   ...
//   mpi::AddRanks(program, 4, Rank);
//
// A send is done when it is received, unless Program::set_buffered: what hangs only with small
// buffers is found without any.

#include "foretell/model/process/mpi/collectives.h"
#include "foretell/model/process/mpi/communicator.h"
#include "foretell/model/process/mpi/point_to_point.h"
