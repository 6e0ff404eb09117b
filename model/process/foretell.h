#pragma once

// All that it takes to write a program of processes that block. Installed as foretell/process.h:
//
//   #include "foretell/process.h"
//
//   using namespace foretell::process;
//
//   Task<> Server(Mailbox<int> box) { Assert(co_await Receive(box) == 1, "the first is first"); }
//   Task<> Client(Mailbox<int> box, int id) { co_await SendTo(box, id); }
//
//   struct First : ProgramOf<First> {
//     Program Make() const {
//       Program program;
//       const auto box = program.AddMailbox<int>("box");
//       program.AddProcess("server", [=] { return Server(box); });
//       for (int id : {1, 2}) program.AddProcess("client", [=] { return Client(box, id); });
//       return program;
//     }
//   };
//   FORETELL_SERVICE(First)
//
// Programs of ranks, as with MPI: foretell/model/process/mpi/mpi.h.

#include "foretell/model/process/messages.h"
#include "foretell/model/process/mutex.h"
#include "foretell/model/process/primitives.h"
#include "foretell/model/process/program.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/process/semaphore.h"
#include "foretell/model/typed/foretell.h"

namespace foretell {

namespace process = model::process;

}  // namespace foretell
