#pragma once

#include <cstdint>

namespace foretell::integration::sdk {

// Counters of a live node since it started. Belongs to the node's loop.
struct Stats {
  uint64_t events = 0;        // Handlers run.
  uint64_t received = 0;      // Messages handled.
  uint64_t sent = 0;          // Messages handed to the network, before faults.
  uint64_t sent_to_self = 0;  // Messages to oneself.
  uint64_t timers = 0;        // Timers fired.
  uint64_t calls = 0;
  uint64_t calls_refused = 0;

  uint64_t garbage = 0;  // Envelopes dropped, by reason.
  uint64_t other_version = 0;
  uint64_t other_cluster = 0;
  uint64_t unknown_sender = 0;
  uint64_t other_receiver = 0;
  uint64_t invalid_body = 0;
  uint64_t duplicates = 0;
  uint64_t stale = 0;
  uint64_t gaps = 0;

  uint64_t oversized = 0;  // Messages that do not fit, and were not sent.
  uint64_t no_peer = 0;    // Messages to a node whose address is not known.
  uint64_t send_failed = 0;
  uint64_t queue_overflows = 0;  // Streams that were reset because the peer reads too slowly.
  uint64_t streams_lost = 0;     // Outgoing streams that broke.
  uint64_t streams_broken = 0;   // Incoming streams that broke.

  uint64_t fault_lost = 0;  // Injected faults.
  uint64_t fault_duplicated = 0;
  uint64_t fault_delayed = 0;
  uint64_t fault_cut = 0;
  uint64_t fault_overflows = 0;  // Delayed messages beyond the limit, which were lost.

  uint64_t checkpoints = 0;
  uint64_t checkpoint_nanos = 0;
  uint64_t checkpoint_bytes = 0;
  uint64_t vetoed = 0;
  uint64_t shadowed = 0;
  uint64_t immediate_vetoed = 0;
  uint64_t immediate_shadowed = 0;
  uint64_t guard_asked = 0;    // Events that were held until the agents had answered.
  uint64_t guard_forced = 0;   // Events that should have been, and cannot be.
  uint64_t guard_refused = 0;  // Events that an agent refused.
  uint64_t guard_expired = 0;  // Events that happened although an agent had not answered.
  uint64_t guard_lapsed = 0;   // Agents that are not asked any more, because they were late.
  uint64_t guard_redone = 0;   // Events that were handled again, because one before was refused.
  uint64_t guard_nanos = 0;    // Time that events were held.

  uint64_t commits = 0;  // Writes to the store.
  uint64_t commit_bytes = 0;
  uint64_t clients_refused = 0;
  uint64_t lines_refused = 0;
  uint64_t requests_refused = 0;  // Of agents, because too many were waiting.

  // Calls visit(name, value) for each, in a fixed order.
  template <class Visit>
  void ForEach(Visit visit) const {
    visit("events", events);
    visit("received", received);
    visit("sent", sent);
    visit("sent-to-self", sent_to_self);
    visit("timers", timers);
    visit("calls", calls);
    visit("calls-refused", calls_refused);
    visit("garbage", garbage);
    visit("other-version", other_version);
    visit("other-cluster", other_cluster);
    visit("unknown-sender", unknown_sender);
    visit("other-receiver", other_receiver);
    visit("invalid-body", invalid_body);
    visit("duplicates", duplicates);
    visit("stale", stale);
    visit("gaps", gaps);
    visit("oversized", oversized);
    visit("no-peer", no_peer);
    visit("send-failed", send_failed);
    visit("queue-overflows", queue_overflows);
    visit("streams-lost", streams_lost);
    visit("streams-broken", streams_broken);
    visit("fault-lost", fault_lost);
    visit("fault-duplicated", fault_duplicated);
    visit("fault-delayed", fault_delayed);
    visit("fault-cut", fault_cut);
    visit("fault-overflows", fault_overflows);
    visit("checkpoints", checkpoints);
    visit("checkpoint-nanos", checkpoint_nanos);
    visit("checkpoint-bytes", checkpoint_bytes);
    visit("vetoed", vetoed);
    visit("shadowed", shadowed);
    visit("immediate-vetoed", immediate_vetoed);
    visit("immediate-shadowed", immediate_shadowed);
    visit("guard-asked", guard_asked);
    visit("guard-forced", guard_forced);
    visit("guard-refused", guard_refused);
    visit("guard-expired", guard_expired);
    visit("guard-lapsed", guard_lapsed);
    visit("guard-redone", guard_redone);
    visit("guard-nanos", guard_nanos);
    visit("commits", commits);
    visit("commit-bytes", commit_bytes);
    visit("clients-refused", clients_refused);
    visit("lines-refused", lines_refused);
    visit("requests-refused", requests_refused);
  }
};

}  // namespace foretell::integration::sdk
