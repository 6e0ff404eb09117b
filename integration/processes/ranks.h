#pragma once

// Programs of ranks that talk as with MPI, each correct, and with a bug that can be planted.

#include <cstdint>

#include "foretell/model/process/protocol.h"

namespace foretell::integration::processes {

// Rank 0 writes down one digit of each rank, in the order of ranks.
struct Reduction : model::process::ProgramOf<Reduction> {
  uint32_t ranks = 3;
  uint32_t rounds = 1;
  bool as_they_come = false;  // Whoever is first.
  model::process::Program Make() const;
};

// Numbers go once around; in the end every rank has the sum.
struct Ring : model::process::ProgramOf<Ring> {
  uint32_t ranks = 3;
  bool buffered = false;
  bool sends_first = false;
  model::process::Program Make() const;
};

// A master gives out tasks and adds up the results of whoever is done.
struct MasterWorker : model::process::ProgramOf<MasterWorker> {
  uint32_t workers = 2;
  uint32_t tasks = 3;
  bool buffered = false;
  bool in_turns = false;  // Takes workers to be done in the order of their ranks.
  model::process::Program Make() const;
};

// The cells of a grid exchange their values with the neighbours in their row and column.
struct Halo : model::process::ProgramOf<Halo> {
  uint32_t rows = 2;
  uint32_t columns = 2;
  bool buffered = false;
  bool sends_first = false;
  model::process::Program Make() const;
};

}  // namespace foretell::integration::processes
