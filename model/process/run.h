#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "foretell/model/process/program.h"

namespace foretell::model::process {

// A process is deterministic and talks to the world through primitives only, so its state is its
// history: the results that it got since it began, or since it last became something.
struct History {
  Continuation as;
  std::vector<Result> results;
  friend bool operator==(const History&, const History&) = default;
  FORETELL_FIELDS(as, results)
};

// One process that runs, with the bookkeeping that all of them need: which of its posts are open,
// whether it only polls, and whether what it asks makes sense.
class ProcessRun {
 public:
  // Runs `history` from its beginning. `program` outlives it. Throws as Go.
  ProcessRun(const Program& program, uint32_t process, const History& history);

  // Goes on with the result of the last request. Throws what breaks the process: what it throws, or
  // AssertionFailed for a request that makes no sense.
  void Go(const Result& result);
  const Request& request() const { return request_; }
  // The request, for people: "Wait for Recv from mailbox".
  std::string Doing() const;
  // What there is to remember of it.
  const History& history() const { return history_; }

 private:
  void Begin();
  void Advance(const Result& result);
  void Look();
  void Settle(const Result& result);
  void Admit() const;
  void NoticePolling();
  bool GoesOnInVain(size_t round) const;

  const Program& program_;
  const uint32_t process_;
  History history_;
  std::unique_ptr<Process> live_;
  Request request_ = EndRequest();
  uint32_t posts_ = 0;
  // Posts that no Wait or Test has completed, for people.
  std::map<uint32_t, std::string> open_;
  // The posts that it has asked about without success since anything else, question by question.
  std::vector<std::vector<uint32_t>> in_vain_;
};

}  // namespace foretell::model::process
