#pragma once

// What all ranks of a communicator do together. Every rank calls the same collectives in the same
// order, with the same root; a rank that is in another call than what it gets was sent for is
// broken, and says which two calls met. Each message has one sender and one receiver, by name:
// collectives race with nothing.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/process/mpi/communicator.h"
#include "foretell/model/process/primitives.h"

namespace foretell::model::process::mpi {

// One rank in one call. Messages begin with `text`: "Bcast from 0".
struct Call {
  Communicator comm;
  std::string text;
};

// What `message`, of rank `from`, has for `call`.
std::string ContentFor(const Call& call, uint32_t from, const std::string& message);

template <class T>
Task<Handle<>> Give(Call call, uint32_t to, T value) {
  const Mailbox<std::string> box = {call.comm.CollectiveBox(call.comm.rank(), to)};
  const std::string message = call.text + ": " + ToText(value);
  co_return co_await Send(box, message);
}
template <class T>
Task<T> Take(Call call, uint32_t from) {
  const Mailbox<std::string> box = {call.comm.CollectiveBox(from, call.comm.rank())};
  const Handle<std::string> handle = co_await Recv(box);
  const std::string message = co_await Wait(handle);
  co_return ParseValue<T>(ContentFor(call, from, message));
}

// The two that the others are made of: all to the root, and the root to all.
template <class T>
Task<std::vector<T>> Collect(Call call, uint32_t root, T own) {
  std::vector<T> values;
  if (call.comm.rank() != root) {
    const Handle<> sent = co_await Give(call, root, own);
    co_await Wait(sent);
    co_return values;
  }
  for (uint32_t rank = 0; rank < call.comm.size(); ++rank) {
    values.push_back(own);
    if (rank != root) values.back() = co_await Take<T>(call, rank);
  }
  co_return values;
}
template <class T>
Task<T> Spread(Call call, uint32_t root, std::vector<T> values) {
  if (call.comm.rank() != root) co_return co_await Take<T>(call, root);
  Assert(values.size() == call.comm.size(),
         call.text + " gives out " + std::to_string(values.size()) + " values in " +
             call.comm.name() + ", which has " + std::to_string(call.comm.size()) + " ranks");
  std::vector<Handle<>> sent;
  for (uint32_t rank = 0; rank < call.comm.size(); ++rank) {
    if (rank != root) sent.push_back(co_await Give<T>(call, rank, values[rank]));
  }
  for (const Handle<>& handle : sent) co_await Wait(handle);
  co_return values[root];
}

// In `values` by rank.
template <class T, class F>
T Combined(const std::vector<T>& values, F combine) {
  T all = values.front();
  for (size_t i = 1; i < values.size(); ++i) all = combine(all, values[i]);
  return all;
}

// The values of all ranks, by rank; nothing but at the root.
template <class T>
Task<std::vector<T>> Gather(Communicator comm, uint32_t root, T own) {
  const Call call = {comm, "Gather to " + std::to_string(root)};
  co_return co_await Collect(call, root, own);
}

// `values` count at the root only, and are by rank.
template <class T>
Task<T> Scatter(Communicator comm, uint32_t root, std::vector<T> values) {
  const Call call = {comm, "Scatter from " + std::to_string(root)};
  co_return co_await Spread(call, root, values);
}

// The root's value, whatever the others have.
template <class T>
Task<T> Bcast(Communicator comm, uint32_t root, T value) {
  const Call call = {comm, "Bcast from " + std::to_string(root)};
  const std::vector<T> values(comm.size(), value);
  co_return co_await Spread(call, root, values);
}

// combine(combine(value of rank 0, value of rank 1), ...) at the root; elsewhere its own value.
template <class T, class F>
Task<T> Reduce(Communicator comm, uint32_t root, T own, F combine) {
  const Call call = {comm, "Reduce to " + std::to_string(root)};
  const std::vector<T> values = co_await Collect(call, root, own);
  co_return values.empty() ? own : Combined(values, combine);
}

// The same at every rank.
template <class T, class F>
Task<T> Allreduce(Communicator comm, T own, F combine) {
  const Call call = {comm, "Allreduce"};
  const std::vector<T> values = co_await Collect(call, 0, own);
  const std::vector<T> all(comm.size(), values.empty() ? own : Combined(values, combine));
  co_return co_await Spread(call, 0, all);
}

// Nobody leaves before everybody has come.
Task<> Barrier(Communicator comm);

// `values[r]` is for rank r; what comes back is by rank, too.
template <class T>
Task<std::vector<T>> Alltoall(Communicator comm, std::vector<T> values) {
  const Call call = {comm, "Alltoall"};
  Assert(values.size() == comm.size(), call.text + " gives out " + std::to_string(values.size()) +
                                           " values in " + comm.name() + ", which has " +
                                           std::to_string(comm.size()) + " ranks");
  std::vector<Handle<>> sent;
  for (uint32_t rank = 0; rank < comm.size(); ++rank) {
    if (rank != comm.rank()) sent.push_back(co_await Give<T>(call, rank, values[rank]));
  }
  for (uint32_t rank = 0; rank < comm.size(); ++rank) {
    if (rank != comm.rank()) values[rank] = co_await Take<T>(call, rank);
  }
  for (const Handle<>& handle : sent) co_await Wait(handle);
  co_return values;
}

// The ranks of one colour as a communicator of their own, in the order of their keys, then ranks.
// `name` is for its mailboxes: one that is split twice takes two.
Task<Communicator> Split(Communicator comm, std::string name, uint32_t colour, uint32_t key);

}  // namespace foretell::model::process::mpi
