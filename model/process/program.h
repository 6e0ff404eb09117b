#pragma once

// A program of processes that block: its mailboxes, and what each process does.
//
//   Program program;
//   const Mailbox<int> box = program.AddMailbox<int>("mailbox");
//   program.AddProcess("server", [=] { return Server(box); });
//
// Processes talk to each other through mailboxes only, and are deterministic: what one does next is
// decided by the results that it has got so far. Two that share a variable are found out when their
// histories are run again.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/process/primitives.h"

namespace foretell::model::process {

// One process that runs. Coroutines are, and whatever else asks for one thing after the other.
class Process {
 public:
  virtual ~Process() = default;
  // Goes on with the result of its last request (of none at first: then it is not looked at), up
  // to the next. Throws what breaks the process.
  virtual Request Resume(const Result& result) = 0;
  // Set if the process has just become something else; it is not resumed any more.
  virtual const std::optional<Continuation>& becomes() const = 0;
};

// A process without coroutines: a state with fields, and a function that goes on from it.
template <class State>
using StepFunction = std::function<Request(State&, const Result&)>;

class Program {
 public:
  using Start = std::function<Task<>()>;
  using Resumed = std::function<Task<>(const std::string& argument)>;

  template <class T>
  Mailbox<T> AddMailbox(const std::string& name) {
    AddMailboxName(name);
    return {name};
  }
  // All mailboxes whose names begin so: for layers that have one for whatever is said.
  void AddMailboxes(const std::string& prefix) { prefixes_.push_back(prefix); }
  // A value that is in the mailbox from the beginning, behind those that were put there before.
  template <class T>
  void Put(const Mailbox<T>& box, const T& value) {
    contents_.push_back({box.name, ToText(value)});
  }
  void AddProcess(const std::string& name, Start start) { AddSpec(name, std::move(start)); }
  // A process without coroutines. Handles are numbers: the n-th post, from 0.
  template <class State>
  void AddSteps(const std::string& name, State first, StepFunction<State> step);
  // What a process can go on as: co_await Become(name, argument).
  template <class T>
  void Continue(const std::string& name, std::function<Task<>(T)> function) {
    continuations_[name] = [function = std::move(function)](const std::string& argument) {
      return function(ParseValue<T>(argument));
    };
  }
  // Whether a send is done for its sender as soon as it is posted. Deadlocks that show only if it
  // is not are worth looking for without.
  void set_buffered(bool buffered) { buffered_ = buffered; }

  // In a mailbox from the beginning.
  struct Content {
    std::string mailbox;
    std::string value;
  };
  const std::vector<Content>& contents() const { return contents_; }
  uint32_t process_count() const { return static_cast<uint32_t>(specs_.size()); }
  const std::string& name(uint32_t process) const { return specs_[process].name; }
  bool buffered() const { return buffered_; }
  // Nothing is run before the first Resume. The program outlives it.
  std::unique_ptr<Process> Make(uint32_t process, const Continuation& as) const;
  // What is wrong with `request`, which `process` has made; empty if nothing is.
  std::string Fault(const Request& request) const;

 private:
  struct Spec {
    std::string name;
    Start start;
    std::function<std::unique_ptr<Process>()> steps;  // Instead of `start`.
  };
  std::string MailboxFault(const std::string& name) const;
  void AddMailboxName(const std::string& name);
  void AddSpec(const std::string& name, Start start);
  bool HasMailbox(const std::string& name) const;

  std::vector<std::string> mailboxes_;
  std::vector<std::string> prefixes_;
  std::vector<Content> contents_;
  std::vector<Spec> specs_;
  std::map<std::string, Resumed> continuations_;
  bool buffered_ = false;
};

// StepFunction as a Process.
template <class State>
class StepProcess final : public Process {
 public:
  StepProcess(State first, StepFunction<State> step)
      : state_(std::move(first)), step_(std::move(step)) {}
  Request Resume(const Result& result) override { return step_(state_, result); }
  const std::optional<Continuation>& becomes() const override { return none_; }

 private:
  State state_;
  StepFunction<State> step_;
  std::optional<Continuation> none_;
};

template <class State>
void Program::AddSteps(const std::string& name, State first, StepFunction<State> step) {
  AddSpec(name, {});
  specs_.back().steps = [first = std::move(first), step = std::move(step)] {
    return std::make_unique<StepProcess<State>>(first, step);
  };
}

}  // namespace foretell::model::process
