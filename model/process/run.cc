#include "foretell/model/process/run.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/typed/render.h"

namespace foretell::model::process {
namespace {

// How often a process becomes something else before it asks for anything. One that never asks
// would never come back.
constexpr uint32_t kBecomesMax = 1000;
// How many Tests there are in one round of polling, at most.
constexpr size_t kRoundMax = 8;
// How many rounds more a process must ask in vain to be taken for one that asks for ever. One that
// counts as far as this and gives up then is never seen to do so.
constexpr size_t kRoundsInVain = 256;

const std::vector<uint32_t>* AskedAbout(const Request& request) {
  if (const auto* wait = std::get_if<WaitRequest>(&request)) return &wait->posts;
  if (const auto* test = std::get_if<TestRequest>(&request)) return &test->posts;
  return nullptr;
}

// As AskedAbout, if there can be an answer without success.
const std::vector<uint32_t>* AskedInVain(const Request& request) {
  const auto* wait = std::get_if<WaitRequest>(&request);
  return wait != nullptr && wait->expires == 0 ? nullptr : AskedAbout(request);
}

bool Answers(const Result& result, const Request& request) {
  if (std::holds_alternative<EndRequest>(request)) return false;
  const std::vector<uint32_t>* const asked = AskedAbout(request);
  if (asked == nullptr) return std::holds_alternative<Posted>(result);
  if (const auto* completed = std::get_if<Completed>(&result)) {
    return completed->index < asked->size();
  }
  return std::holds_alternative<Pending>(result) && AskedInVain(request) != nullptr;
}

}  // namespace

ProcessRun::ProcessRun(const Program& program, uint32_t process, const History& history)
    : program_(program), process_(process), history_{history.as, {}} {
  Begin();
  Look();
  for (const Result& result : history.results) Advance(result);
  NoticePolling();
}

void ProcessRun::Begin() {
  live_ = program_.Make(process_, history_.as);
  posts_ = history_.as.posts;
  open_.clear();
  in_vain_.clear();
  request_ = live_->Resume(Posted());
}

void ProcessRun::Go(const Result& result) {
  Advance(result);
  NoticePolling();
}

void ProcessRun::Advance(const Result& result) {
  Settle(result);
  history_.results.push_back(result);
  request_ = live_->Resume(result);
  Look();
}

// Looks at what the process asks for.
void ProcessRun::Look() {
  for (uint32_t times = 0; live_->becomes(); ++times) {
    if (times == kBecomesMax) {
      throw AssertionFailed(absl::StrCat("becomes '", live_->becomes()->name, "' ", times,
                                         " times in a row without asking for anything"));
    }
    history_ = {*live_->becomes(), {}};
    // What is open, or was done before it was met, still goes by its number.
    history_.as.posts = open_.empty() && !program_.buffered() ? 0 : posts_;
    Begin();
  }
  if (auto* send = std::get_if<SendRequest>(&request_)) send->post = posts_;
  if (auto* recv = std::get_if<RecvRequest>(&request_)) recv->post = posts_;
  Admit();
}

// What the answer to the last request means for what is open. Histories come from files and live
// nodes, too: an answer that does not go with its question breaks the process, not the checker.
void ProcessRun::Settle(const Result& result) {
  const std::vector<uint32_t>* const asked = AskedAbout(request_);
  if (!Answers(result, request_)) {
    throw AssertionFailed(absl::StrCat("asked for ", RenderLine(request_), " and was answered ",
                                       RenderLine(result), ", which makes no sense"));
  }
  if (asked == nullptr) {
    open_.emplace(posts_++, Doing());
  } else if (const auto* completed = std::get_if<Completed>(&result)) {
    open_.erase(asked->at(completed->index));
  }
  if (std::holds_alternative<Pending>(result)) {
    in_vain_.push_back(*asked);
  } else {
    in_vain_.clear();
  }
}

std::string ProcessRun::Doing() const {
  if (const auto* send = std::get_if<SendRequest>(&request_)) {
    return absl::StrCat("Send to ", send->to);
  }
  if (const auto* recv = std::get_if<RecvRequest>(&request_)) {
    return absl::StrCat("Recv from ", absl::StrJoin(recv->from, " or "));
  }
  const std::vector<uint32_t>* const asked = AskedAbout(request_);
  if (asked == nullptr) return "ended";
  const auto* const test = std::get_if<TestRequest>(&request_);
  const bool waits = test == nullptr || !test->polled.empty();
  return absl::StrCat(waits ? "Wait for " : "Test of ",
                      absl::StrJoin(*asked, " or ", [this](std::string* out, uint32_t post) {
                        out->append(open_.at(post));
                      }));
}

void ProcessRun::Admit() const {
  if (const std::string fault = program_.Fault(request_); !fault.empty()) {
    throw AssertionFailed(fault);
  }
  const std::vector<uint32_t>* const asked = AskedAbout(request_);
  if (asked == nullptr) return;
  const char* const what = std::holds_alternative<WaitRequest>(request_) ? "waits for" : "tests";
  if (asked->empty()) throw AssertionFailed(absl::StrCat(what, " nothing"));
  for (const uint32_t post : *asked) {
    if (open_.contains(post)) continue;
    throw AssertionFailed(absl::StrCat(what, " request ", post,
                                       post < posts_
                                           ? ", which is used up: a handle is good for one success"
                                           : ", which it has never made"));
  }
}

// A process that asks about the same things in vain, round after round, and would go on like that
// whatever the number of rounds, does nothing else before one of them is done: it is answered when
// there is news. Asking with a time limit is the same.
void ProcessRun::NoticePolling() {
  const std::vector<uint32_t>* const asked = AskedInVain(request_);
  if (asked == nullptr) return;
  for (size_t round = 1; round <= std::min(kRoundMax, in_vain_.size() / 2); ++round) {
    const auto last = in_vain_.end() - static_cast<std::ptrdiff_t>(round);
    const auto before = last - static_cast<std::ptrdiff_t>(round);
    if (*asked != *last || !std::equal(last, in_vain_.end(), before)) continue;
    if (!GoesOnInVain(round)) return;
    std::set<uint32_t> polled;
    for (auto it = last; it != in_vain_.end(); ++it) polled.insert(it->begin(), it->end());
    request_ = TestRequest{*asked, {polled.begin(), polled.end()}};
    return;
  }
}

// Tries it with a copy, which is run again from its beginning: histories are all that decides.
bool ProcessRun::GoesOnInVain(size_t round) const {
  const std::unique_ptr<Process> copy = program_.Make(process_, history_.as);
  const size_t first = in_vain_.size() - round;
  try {
    Request request = copy->Resume(Posted());
    for (const Result& result : history_.results) request = copy->Resume(result);
    for (size_t i = 0; i < kRoundsInVain * round; ++i) {
      const std::vector<uint32_t>* const asked = AskedInVain(request);
      if (copy->becomes() || asked == nullptr || *asked != in_vain_[first + i % round])
        return false;
      request = copy->Resume(Pending());
    }
  } catch (...) {
    return false;  // It breaks some time; when it does, that is told.
  }
  return true;
}

}  // namespace foretell::model::process
