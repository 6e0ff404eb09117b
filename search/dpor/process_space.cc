#include "foretell/search/dpor/process_space.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::search {

namespace process = model::process;
using model::NodeId;
using process::Protocol;

namespace {

uint64_t SignsOf(std::span<const uint32_t> numbers) {
  uint64_t signs = 0;
  for (const uint32_t number : numbers) signs |= uint64_t{1} << number % 64;
  return signs;
}

void AddOnce(uint32_t number, std::vector<uint32_t>& numbers) {
  if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) {
    numbers.push_back(number);
  }
}

}  // namespace

ProcessSpace::ProcessSpace(model::TransitionTable& table, const model::SystemCut& cut)
    : table_(table), processes_(table.node_count() - 1), cut_(cut), histories_(table.service()) {
  const ServiceWalk walk(table_, cut_);
  for (uint32_t p = 0; p < processes_; ++p) {
    start_.push_back(histories_.Begin(p, walk.StateOf(p), walk.asked(p)));
  }
  const model::NodeState office = walk.StateOf(processes_);
  if (office.status == model::NodeStatus::kUp) {
    office_ = *model::Decode<Protocol::State>(office.body)->mailboxes;
  }
  start_.push_back(0);
  Begin();
}

// The mailboxes as they are at the start, by number.
void ProcessSpace::Begin() {
  std::vector<Offices::Queued> queues;
  std::vector<Offices::Ready> ready;
  const process::Office none;
  const process::Office& office = office_ ? *office_ : none;
  for (const auto& [name, posts] : office.queues) {
    for (const process::Post& post : posts) {
      const process::Office::Offer& offer = office.offers.at(post);
      std::vector<uint32_t> mailboxes;
      for (const std::string& each : offer.mailboxes) {
        mailboxes.push_back(histories_.MailboxOf(each));
      }
      queues.push_back({histories_.MailboxOf(name),
                        offices_.OfferOf({histories_.PostOf(post), offer.sends, offer.buffered,
                                          histories_.ValueOf(offer.value), mailboxes})});
    }
  }
  for (const auto& [post, met] : office.ready) {
    ready.push_back({histories_.PostOf(post), histories_.ValueOf(met.value), met.mailbox,
                     histories_.PostOf(met.with)});
  }
  start_.back() = offices_.Begin(std::move(queues), std::move(ready));
}

void ProcessSpace::Forget() {
  index_ = {};
  index_bytes_ = 0;
  steps_ = {};
  numbers_ = {};
  offices_.Forget();
  Begin();
}

uint64_t ProcessSpace::bytes() const { return held() + histories_.bytes(); }

bool ProcessSpace::AnyReady(uint32_t office, std::span<const uint32_t> posts) const {
  return std::any_of(posts.begin(), posts.end(), [&](uint32_t post) {
    return offices_.ReadyOf(office, post).has_value();
  });
}

bool ProcessSpace::Enabled(ProcessIds state, uint32_t p) const {
  if (!office_) return false;
  const Wish& wish = histories_.WishOf(p, state[p]);
  switch (wish.kind) {
    case Wish::Kind::kNothing: return false;
    case Wish::Kind::kSend:
    case Wish::Kind::kRecv: return true;
    case Wish::Kind::kTest:
      if (wish.polled.empty()) return true;
      return AnyReady(state[processes_], wish.posts) || AnyReady(state[processes_], wish.polled);
    case Wish::Kind::kWait: break;
  }
  return wish.expires || AnyReady(state[processes_], wish.posts);
}

std::span<const ProcessSpace::Step> ProcessSpace::Steps(ProcessIds state, uint32_t p) {
  if (!Enabled(state, p)) return {};
  const Key key{p, state[p], state[processes_]};
  if (const auto found = index_.find(key); found != index_.end()) return found->second;
  const std::span<const Step> computed = Compute(key);
  index_bytes_ += 2 * (sizeof(Key) + sizeof(computed));
  index_.emplace(key, computed);
  return computed;
}

std::span<const ProcessSpace::Step> ProcessSpace::Compute(const Key& key) {
  computed_.clear();
  // By value: histories become more on the way.
  const Wish wish = histories_.WishOf(key.process, key.state);
  switch (wish.kind) {
    case Wish::Kind::kNothing: break;
    case Wish::Kind::kSend: Send(key, wish); break;
    case Wish::Kind::kRecv: Recv(key, wish); break;
    case Wish::Kind::kWait: Answer(key, wish); break;
    case Wish::Kind::kTest: wish.polled.empty() ? Test(key, wish) : Answer(key, wish); break;
  }
  return steps_.Add(computed_);
}

void ProcessSpace::Add(const Key& key, Step step, uint32_t process, uint32_t office) {
  step.process = process;
  step.office = office;
  step.fails = histories_.WishOf(key.process, process).fails;
  computed_.push_back(step);
}

Touched ProcessSpace::Posted(const Key& key, Touched::Kind kind,
                             std::span<const uint32_t> mailboxes,
                             std::span<const uint32_t> posts) {
  Touched touched{key.process, kind, mailboxes.size() > 1, numbers_.Add(mailboxes),
                  numbers_.Add(posts), SignsOf(mailboxes), SignsOf(posts)};
  return touched;
}

// What it looks at, and what that has met.
Touched ProcessSpace::Looked(const Key& key, std::span<const uint32_t> posts) {
  std::vector<uint32_t> all;
  for (const uint32_t post : posts) {
    all.push_back(post);
    const auto ready = offices_.ReadyOf(key.office, post);
    if (ready && ready->with != post) all.push_back(ready->with);
  }
  return {key.process, Touched::Kind::kLook, posts.size() > 1, {}, numbers_.Add(all),
          0,           SignsOf(all)};
}

void ProcessSpace::Send(const Key& key, const Wish& wish) {
  std::vector<uint32_t> mailboxes = wish.mailboxes;
  std::vector<uint32_t> posts = {wish.post};
  const auto head = offices_.Head(key.office, wish.mailboxes.front(), /*sends=*/false);
  if (head) {
    const Offices::Offer met = offices_.At(*head);
    for (const uint32_t mailbox : met.mailboxes) AddOnce(mailbox, mailboxes);
    posts.push_back(met.post);
  }
  Step step;
  step.touched = Posted(key, Touched::Kind::kSend, mailboxes, posts);
  Add(key, step, histories_.AfterPost(key.process, key.state),
      offices_.AfterSend(key.office,
                         {wish.post, true, wish.buffered, wish.value, wish.mailboxes}));
}

void ProcessSpace::Recv(const Key& key, const Wish& wish) {
  std::vector<uint32_t> mailboxes, heads;
  for (const uint32_t mailbox : wish.mailboxes) {
    AddOnce(mailbox, mailboxes);
    const auto head = offices_.Head(key.office, mailbox, /*sends=*/true);
    if (head) AddOnce(*head, heads);
  }
  const Offices::Offer received{wish.post, false, false, 0, wish.mailboxes};
  const uint32_t next = histories_.AfterPost(key.process, key.state);
  if (heads.empty()) heads.push_back(Offices::kNone);
  for (uint32_t i = 0; i < heads.size(); ++i) {
    Step step;
    step.choice = i;
    std::vector<uint32_t> posts = {wish.post};
    std::optional<uint32_t> head;
    if (heads[i] != Offices::kNone) {
      head = heads[i];
      const Offices::Offer met = offices_.At(*head);
      // The sender of what is buffered does not notice.
      if (!met.buffered) posts.push_back(met.post);
      // By the mailbox it comes from: who is first there differs from state to state.
      if (wish.mailboxes.size() > 1) step.key = 1 + met.mailboxes.front();
    }
    step.touched = Posted(key, Touched::Kind::kRecv, mailboxes, posts);
    step.touched.several = wish.mailboxes.size() > 1;
    Add(key, step, next, offices_.AfterRecv(key.office, received, head));
  }
}

void ProcessSpace::Complete(const Key& key, Step step, const Wish& wish, uint32_t index) {
  const Offices::Ready ready = *offices_.ReadyOf(key.office, wish.posts[index]);
  const uint32_t next =
      histories_.AfterCompleted(key.process, key.state, index, ready.value, ready.mailbox);
  Add(key, step, next, offices_.AfterTake(key.office, ready.post));
}

void ProcessSpace::Test(const Key& key, const Wish& wish) {
  Step step;
  step.touched = Looked(key, wish.posts);
  std::vector<uint32_t> done;
  for (uint32_t i = 0; i < wish.posts.size(); ++i) {
    if (offices_.ReadyOf(key.office, wish.posts[i])) done.push_back(i);
  }
  if (done.empty()) Add(key, step, histories_.InVain(key.process, key.state), key.office);
  for (uint32_t choice = 0; choice < done.size(); ++choice) {
    step.choice = choice;
    if (done.size() > 1) step.key = 1 + done[choice];
    Complete(key, step, wish, done[choice]);
  }
}

// A Wait, or a Test that is asked again and again.
void ProcessSpace::Answer(const Key& key, const Wish& wish) {
  std::vector<uint32_t> looked = wish.posts;
  looked.insert(looked.end(), wish.polled.begin(), wish.polled.end());
  std::sort(looked.begin(), looked.end());
  looked.erase(std::unique(looked.begin(), looked.end()), looked.end());
  Step step;
  step.blocks = !wish.expires;
  step.touched = Looked(key, looked);
  step.via = Via::kAnswered;
  const auto key_of = [&](uint32_t index) { return looked.size() > 1 ? 1 + index : 0; };
  const auto count = static_cast<uint32_t>(wish.posts.size());
  for (uint32_t i = 0; i < count; ++i) {
    if (!offices_.ReadyOf(key.office, wish.posts[i])) continue;
    step.key = key_of(i);
    step.choice = i;
    Complete(key, step, wish, i);
  }
  if (!computed_.empty()) return;
  if (wish.expires) step.via = Via::kExpired;
  step.key = wish.expires ? 0 : key_of(count);
  step.choice = count;
  Add(key, step, histories_.InVain(key.process, key.state), key.office);
}

ServiceWalk ProcessSpace::Walk(std::span<const Taken> steps) const {
  ServiceWalk walk(table_, cut_);
  for (const auto& [process, step] : steps) walk.Take(process, step->via, step->choice);
  return walk;
}

}  // namespace foretell::search
