#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "foretell/model/foreign/carriers/nursery.h"

namespace foretell::model::foreign {

// How long one request may take. A machine that is slow must not make a handler look stuck, so what
// counts is the processor time of the process, and how long it has had none.
struct Patience {
  std::chrono::milliseconds processor_time;
  std::chrono::milliseconds asleep;
};

struct Patiences {
  Patience usual{std::chrono::milliseconds(10'000), std::chrono::milliseconds(60'000)};
  // What is left once the search was to have ended, by its budget or because the user asked for it.
  Patience over{std::chrono::milliseconds(500), std::chrono::milliseconds(3'000)};
  std::function<bool()> is_over;  // May be empty.
};

// A process that answers requests, one at a time. Not for several threads.
class Child {
 public:
  Child(const Newborn& newborn, Patiences patiences)
      : newborn_(newborn), patiences_(std::move(patiences)) {}
  // Ends the process, if need be by force, and all that it started.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Sends a request and puts the answer into `reply`. As Carrier::Call, but that Unavailable means
  // that the process is gone, by its own fault, somebody else's or by our hand: see epitaph().
  absl::Status Ask(uint32_t op, std::string_view request, std::string& reply);

  // How it ended, and its last words, on one line. REQUIRES: Ask returned Unavailable.
  const std::string& epitaph() const { return epitaph_; }
  // It was ended by a signal that somebody else sent: no fault of the request.
  bool murdered() const { return murdered_; }

  // The systems that it has been told to open.
  std::vector<uint32_t> opened;

 private:
  using Clock = std::chrono::steady_clock;
  // A moment in the life of the process.
  struct Moment {
    Clock::time_point wall;
    std::chrono::nanoseconds processor_time{0};
  };
  // How long a request has been waited for. Taken when it is not answered at once.
  struct Wait {
    Moment begin;
    std::optional<Moment> over;  // Since when the search was to have ended.
    Moment awake;                // When it was last seen to have done something.
  };

  // False if the other end is closed.
  bool Send(std::string_view& unsent);
  bool Receive();
  // Reads what was written to standard error.
  void Listen();
  // The size of a whole answer in `received_`; 0 if it is not there yet. `nonsense` becomes what is
  // wrong with it.
  size_t Answered(std::string& nonsense) const;
  // Why it is waited for no longer; empty as long as it is.
  std::string Impatience(std::optional<Wait>& wait) const;
  Moment Now() const;
  // The end of the process, because of `why` or, if that is empty, by itself.
  absl::Status Bury(const std::string& why);
  int Reap(bool by_force);
  void Kill() const;

  const Newborn newborn_;
  const Patiences patiences_;
  std::string sent_;
  std::string received_;
  std::string heard_;  // The end of its standard error.
  std::string epitaph_;
  bool ended_ = false;
  bool murdered_ = false;
};

}  // namespace foretell::model::foreign
