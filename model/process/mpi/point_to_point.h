#pragma once

// Messages between two ranks. Those of one source with one tag are received in the order in which
// they were sent.

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "foretell/model/process/mpi/communicator.h"
#include "foretell/model/process/primitives.h"

namespace foretell::model::process::mpi {

// An Isend (T: void) or an Irecv; good for one successful Wait or Test.
template <class T = void>
struct Request {
  Handle<T> handle;
  std::vector<uint32_t> sources;  // Of an Irecv: whom it can come from.
};

// What a request came to.
template <class T>
struct Received {
  T value{};
  uint32_t source = 0;
};
template <>
struct Received<void> {};

template <class T>
Received<T> ReceivedOf(const Request<T>& request, const Picked<T>& picked) {
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return {picked.value, request.sources.at(picked.mailbox)};
  }
}

template <class T>
Task<Request<>> Isend(Communicator comm, uint32_t to, T value, uint32_t tag = 0) {
  const Mailbox<T> box = {comm.Box(comm.rank(), to, tag)};
  Request<> request;
  request.handle = co_await process::Send(box, value);
  co_return request;
}

// `from`: a rank, or kAnySource.
template <class T>
Task<Request<T>> Irecv(Communicator comm, uint32_t from, uint32_t tag = 0) {
  Request<T> request;
  request.sources = comm.Sources(from);
  std::vector<Mailbox<T>> boxes;
  for (const uint32_t source : request.sources) {
    boxes.push_back({comm.Box(source, comm.rank(), tag)});
  }
  request.handle = co_await RecvAny(boxes);
  co_return request;
}

template <class T>
Task<Received<T>> Wait(Request<T> request) {
  const std::vector<Handle<T>> handles = {request.handle};
  const Picked<T> picked = co_await WaitAny(handles);
  co_return ReceivedOf(request, picked);
}

template <class T>
Task<std::vector<Received<T>>> Waitall(std::vector<Request<T>> requests) {
  std::vector<Received<T>> received;
  for (const Request<T>& request : requests) received.push_back(co_await Wait(request));
  co_return received;
}

// Which of the requests was done, and what it came to. The others are still to be waited for.
template <class T>
Task<std::pair<uint32_t, Received<T>>> Waitany(std::vector<Request<T>> requests) {
  std::vector<Handle<T>> handles;
  for (const Request<T>& request : requests) handles.push_back(request.handle);
  const Picked<T> picked = co_await WaitAny(handles);
  co_return std::pair(picked.index, ReceivedOf(requests.at(picked.index), picked));
}

// Nothing if it is not done yet.
template <class T>
Task<std::optional<Received<T>>> Test(Request<T> request) {
  const std::optional<Picked<T>> picked = co_await process::Test(request.handle);
  if (!picked) co_return std::nullopt;
  co_return ReceivedOf(request, *picked);
}

template <class T>
Task<> Send(Communicator comm, uint32_t to, T value, uint32_t tag = 0) {
  const Request<> request = co_await Isend(comm, to, value, tag);
  co_await Wait(request);
}

template <class T>
Task<Received<T>> Recv(Communicator comm, uint32_t from, uint32_t tag = 0) {
  const Request<T> request = co_await Irecv<T>(comm, from, tag);
  co_return co_await Wait(request);
}

}  // namespace foretell::model::process::mpi
