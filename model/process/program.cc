#include "foretell/model/process/program.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "foretell/model/nearest_name.h"

namespace foretell::model::process {
namespace {

class CoroutineProcess final : public Process {
 public:
  CoroutineProcess(Task<> task, uint32_t posts, bool buffered) : task_(std::move(task)) {
    exchange_.posts = posts;
    exchange_.buffered = buffered;
    task_.Attach(exchange_);
  }
  Request Resume(const Result& result) override {
    exchange_.result = result;
    exchange_.at.resume();
    if (task_.done()) {
      task_.Rethrow();
      return EndRequest();
    }
    return std::move(exchange_.request);
  }
  const std::optional<Continuation>& becomes() const override { return exchange_.becomes; }

 private:
  Exchange exchange_;  // Frames refer to it.
  Task<> task_;
};

}  // namespace

void Program::AddMailboxName(const std::string& name) {
  if (std::find(mailboxes_.begin(), mailboxes_.end(), name) == mailboxes_.end()) {
    mailboxes_.push_back(name);
  }
}

void Program::AddSpec(const std::string& name, Start start) {
  specs_.push_back({name, std::move(start), {}});
}

std::unique_ptr<Process> Program::Make(uint32_t process, const Continuation& as) const {
  // A state that was recorded may be anybody's, of the office too.
  if (process >= process_count()) {
    throw AssertionFailed(absl::StrCat("process ", process, " of ", process_count()));
  }
  const Spec& spec = specs_[process];
  if (as.name.empty() && spec.steps) return spec.steps();
  if (as.name.empty()) return std::make_unique<CoroutineProcess>(spec.start(), 0, buffered_);
  const auto found = continuations_.find(as.name);
  if (found == continuations_.end()) {
    throw AssertionFailed(absl::StrCat("becomes '", as.name, "', which the program does not have"));
  }
  return std::make_unique<CoroutineProcess>(found->second(as.argument), as.posts, buffered_);
}

bool Program::HasMailbox(const std::string& name) const {
  const auto begins = [&name](const std::string& prefix) {
    return name.compare(0, prefix.size(), prefix) == 0;
  };
  return std::find(mailboxes_.begin(), mailboxes_.end(), name) != mailboxes_.end() ||
         std::any_of(prefixes_.begin(), prefixes_.end(), begins);
}

std::string Program::Fault(const Request& request) const {
  if (const auto* send = std::get_if<SendRequest>(&request)) return MailboxFault(send->to);
  const auto* const recv = std::get_if<RecvRequest>(&request);
  if (recv == nullptr) return "";
  if (recv->from.empty()) return "receives from no mailbox at all";
  for (const std::string& name : recv->from) {
    if (std::string fault = MailboxFault(name); !fault.empty()) return fault;
  }
  return "";
}

std::string Program::MailboxFault(const std::string& name) const {
  if (HasMailbox(name)) return "";
  const std::string meant = NearestName(name, mailboxes_);
  return absl::StrCat("uses mailbox '", name, "', which does not exist",
                      meant.empty() ? "" : absl::StrCat("; did you mean '", meant, "'?"));
}

}  // namespace foretell::model::process
