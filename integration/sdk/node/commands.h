#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/values/faults.h"
#include "foretell/integration/sdk/values/stats.h"

namespace foretell::integration::sdk {

// The commands that clients can send to a node, one line each:
//
//   calls            what may be called now, one per line, and "."
//   call NAME        "ok CALL", "refused DECISION REASON" or "error REASON"
//   ask QUESTION     what the service answers, as "ok ANSWER", or "error REASON"
//   state            the fields of the node's state as "NAME = VALUE", and "."
//   projections      what each invariant sees of the node as "NAME HEX" or "NAME none", and "."
//   faults [WORDS]   changes faults (see faults.h); "ok FAULTS"
//   peers A,B,C      tells the addresses of all nodes; "ok"
//   stats            counters as "NAME VALUE", and "."
//   events           how often what has happened as "timer Retransmit 12", and "."; together the
//                    answers of all nodes are a file for `foretell check --weights`
//   clock [MICROS]   of a stepped node: moves its clock to MICROS since its start, never back; "ok
//                    NOW NEXT WORK": when something is due next, or "-", and how much has happened
//   hint             tells the agent that there is something to be seen; "ok", or that none listens
//   stop             "ok"
class Commands {
 public:
  struct Hooks {
    std::function<bool()> begun;  // True iff peers are known.
    std::function<Faults()> faults;
    std::function<void(const Faults&)> set_faults;
    std::function<absl::Status(const std::vector<std::string>&)> set_peers;
    // Moves the clock unless nothing is given; the rest of the answer.
    std::function<absl::StatusOr<std::string>(std::optional<std::chrono::microseconds>)> clock;
    std::function<bool()> hint;  // False if nobody listens.
    std::function<void()> stop;
  };
  // Both outlive it.
  Commands(Core& core, const Stats& stats, Hooks hooks)
      : core_(core), stats_(stats), hooks_(std::move(hooks)) {}

  // `answer` gets the answer, without the last line end: now, or when an agent has granted a call.
  using Answer = std::function<void(const std::string&)>;
  void Run(const std::string& line, const Answer& answer);

 private:
  // Everything but calls.
  std::string RunAtOnce(const std::string& command, const std::string& rest);
  std::string Calls() const;
  void Call(const std::string& name, const Answer& answer);
  static std::string CallText(const Core::CallAnswer& answer);
  std::string Ask(const std::string& question) const;
  std::string State() const;
  std::string Projections() const;
  std::string SetFaults(const std::string& words);
  std::string SetPeers(const std::string& words);
  std::string Clock(const std::string& micros);
  std::string AllStats() const;
  std::string Events() const;

  Core& core_;
  const Stats& stats_;
  Hooks hooks_;
};

}  // namespace foretell::integration::sdk
