#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace foretell::dir {

// Runs units of work. Units of one lane run one after the other, in the order in which they were
// submitted; lanes are independent. The result of a unit is a function that runs in the thread of
// the engine's driver, which calls Next, so that results need no locks.
class JobEngine {
 public:
  using Result = std::function<void()>;
  using Work = std::function<Result()>;

  virtual ~JobEngine() = default;
  // True iff units of several lanes, or a unit and a result, may run at the same time.
  virtual bool parallel() const = 0;
  virtual void Submit(uint32_t lane, Work work) = 0;
  // Waits for the oldest unit to end and runs its result, which may submit more. So results come in
  // the order of submission, however many threads there are. False if none is left. Throws what the
  // unit threw: it runs what users wrote.
  virtual bool Next() = 0;
  // Waits for units that run and forgets the others, so that objects they refer to may go.
  virtual void Abandon() = 0;
};

// An engine that runs units in the driver's own thread, in the order of submission.
std::unique_ptr<JobEngine> MakeInlineEngine();
// An engine of so many threads, or as many as the machine has to give. Its destructor abandons the
// units that are left.
std::unique_ptr<JobEngine> MakeThreadEngine(uint32_t threads);

}  // namespace foretell::dir
