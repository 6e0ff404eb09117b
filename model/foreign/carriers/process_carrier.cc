#include "foretell/model/foreign/carriers/process_carrier.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/foreign/wire/frame.h"

namespace foretell::model::foreign {
namespace {

constexpr size_t kFatalMax = 4096;
constexpr int kDeathsMax = 2;   // Of one request.
constexpr int kMurdersMax = 8;  // Which are not its fault, until they are too many to believe.
constexpr int kStartsMax = 3;

std::string KeyOf(uint32_t op, std::string_view request) {
  return absl::StrCat(op, ":", std::string(request));
}

// Counts how often the same thing went wrong.
class Deaths {
 public:
  // False when it was once too often.
  bool Add(const Child& child) {
    return child.murdered() ? ++murders_ < kMurdersMax : ++own_ < kDeathsMax;
  }

 private:
  int own_ = 0;
  int murders_ = 0;
};

}  // namespace

ProcessCarrier::ProcessCarrier(const std::string& command, const ProcessOptions& options)
    : options_(options), nursery_(command, options.memory_max) {}

absl::Status ProcessCarrier::Call(uint32_t op, std::string_view request, std::string& reply) {
  {
    const MutexLock lock(mutex_);
    if (!fatal_.empty()) {
      const auto found = fatal_.find(KeyOf(op, request));
      if (found != fatal_.end()) return absl::AbortedError(found->second);
    }
  }
  return AskAgain(op, request, reply);
}

absl::Status ProcessCarrier::AskAgain(uint32_t op, std::string_view request, std::string& reply) {
  Deaths deaths;
  while (true) {
    absl::StatusOr<std::unique_ptr<Child>> child = Borrow();
    if (!child.ok()) return child.status();
    absl::Status status = AskOne(**child, op, request, reply);
    if (!absl::IsUnavailable(status)) {
      Return(*std::move(child));
      return status;
    }
    const bool over = options_.patiences.is_over && options_.patiences.is_over();
    if (deaths.Add(**child) && (!over || (*child)->murdered())) continue;
    std::string text = absl::StrCat("the process ", (*child)->epitaph());
    const MutexLock lock(mutex_);
    if (fatal_.size() < kFatalMax) fatal_.emplace(KeyOf(op, request), text);
    return absl::AbortedError(std::move(text));
  }
}

absl::Status ProcessCarrier::AskOne(Child& child, uint32_t op, std::string_view request,
                                    std::string& reply) {
  // All but the first two ops begin with their system; RUN_MANY has it behind two sizes.
  if (op > FORETELL_OPEN) {
    Reader in(request);
    if (op == FORETELL_RUN_MANY) in.U64("count and size");
    if (absl::Status opened = OpenIn(child, in.U32("system")); !opened.ok()) return opened;
  }
  absl::Status status = child.Ask(op, request, reply);
  if (op == FORETELL_OPEN && status.ok()) child.opened.push_back(Reader(request).U32("system"));
  return status;
}

absl::Status ProcessCarrier::OpenIn(Child& child, uint32_t system) {
  if (std::find(child.opened.begin(), child.opened.end(), system) != child.opened.end()) {
    return absl::OkStatus();
  }
  std::string request;
  {
    const MutexLock lock(mutex_);
    const auto found = systems_.find(system);
    if (found == systems_.end()) return absl::OkStatus();
    request = found->second;
  }
  std::string reply;
  absl::Status status = child.Ask(FORETELL_OPEN, request, reply);
  if (status.ok()) child.opened.push_back(system);
  return status;
}

absl::StatusOr<std::unique_ptr<Child>> ProcessCarrier::Borrow() {
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Child> child = std::move(idle_.back());
      idle_.pop_back();
      return child;
    }
  }
  return Start();
}

// Every process describes itself before it is asked anything else: one that runs other code than
// the first, because a file was replaced in the meantime, must not answer for it.
absl::StatusOr<std::unique_ptr<Child>> ProcessCarrier::Start() {
  Writer request;
  request.U32(FORETELL_SERVICE_ABI);
  std::string epitaph;
  for (int attempt = 0; attempt < kStartsMax;) {
    const absl::StatusOr<Newborn> newborn = nursery_.Start();
    if (!newborn.ok()) return newborn.status();
    auto child = std::make_unique<Child>(*newborn, options_.patiences);
    std::string described;
    const absl::Status status = child->Ask(FORETELL_DESCRIBE, request.bytes(), described);
    if (absl::IsUnavailable(status)) {
      epitaph = child->epitaph();
      ++attempt;
      continue;
    }
    if (!status.ok()) return status;
    const MutexLock lock(mutex_);
    if (described_.empty()) described_ = described;
    if (described_ == described) return child;
    return absl::AbortedError("a process that was started later describes itself differently");
  }
  return absl::AbortedError(absl::StrCat("the process ", epitaph));
}

void ProcessCarrier::Return(std::unique_ptr<Child> child) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(child));
}

absl::Status ProcessCarrier::Open(uint32_t system, const std::string& request, std::string& reply) {
  if (absl::Status status = Call(FORETELL_OPEN, request, reply); !status.ok()) return status;
  const MutexLock lock(mutex_);
  systems_[system] = request;
  return absl::OkStatus();
}

void ProcessCarrier::Close(uint32_t system) {
  Writer request;
  request.U32(system);
  std::vector<std::unique_ptr<Child>> told;
  {
    const MutexLock lock(mutex_);
    systems_.erase(system);
    idle_.swap(told);
  }
  std::string reply;
  for (std::unique_ptr<Child>& child : told) {
    if (std::erase(child->opened, system) > 0 &&
        absl::IsUnavailable(child->Ask(FORETELL_CLOSE, request.bytes(), reply))) {
      continue;
    }
    Return(std::move(child));
  }
}

}  // namespace foretell::model::foreign
