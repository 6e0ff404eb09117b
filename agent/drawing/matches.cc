#include "foretell/agent/drawing/matches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/drawing/bystanders.h"
#include "foretell/model/process/protocol.h"

namespace foretell::agent {
namespace {

namespace process = model::process;

using model::EventKind;
using process::Office;
using process::Post;
using process::Protocol;

// Names of changes that are kept: a field of process::ProcessState, and state_changes.cc's own.
constexpr const char* kPlace = "process.at";
constexpr const char* kStatus = "node";

class Folding {
 public:
  explicit Folding(const SpaceTime& picture) : picture_(picture) {
    office_ = static_cast<uint32_t>(picture.lanes.size()) - 1;
    folded_ = picture;
    folded_.moments.clear();
    folded_.lanes.pop_back();
    // What is known of a process is where it is; its history is what the picture shows.
    for (Lane& lane : folded_.lanes) {
      KeepPlace(lane.at_start);
      KeepPlace(lane.at_end);
    }
  }

  // False: this is not what processes do by themselves.
  bool Add(size_t index, const model::PathStep& step, const model::NodeState& mailboxes,
           const model::ReplayedStep& replayed) {
    index_ = index;
    if (step.node.value() != office_) return AddOfProcess(step.event.kind);
    const auto before = model::Decode<Protocol::State>(mailboxes.body);
    if (replayed.after.nodes[office_].status != model::NodeStatus::kUp) return false;
    const auto after = model::Decode<Protocol::State>(replayed.after.nodes[office_].body);
    if (!before || !before->mailboxes || !after || !after->mailboxes) return false;
    if (step.event.kind == EventKind::kAction) return AddAnswer(step.event.body, replayed);
    const auto request = model::Decode<Protocol::Message>(step.event.body);
    if (step.event.kind != EventKind::kDeliver || !request) return false;
    AddRequest(step.event.peer.value(), *request, *before->mailboxes, *after->mailboxes, replayed);
    return true;
  }

  std::shared_ptr<const SpaceTime> Finish() {
    for (auto& [process, moment] : waiting_) folded_.moments.push_back(std::move(moment));
    std::stable_sort(folded_.moments.begin(), folded_.moments.end(),
                     [](const Moment& a, const Moment& b) { return a.step < b.step; });
    LinkToSends();
    if (picture_.cycle_from > 0) {
      const auto first =
          std::find_if(folded_.moments.begin(), folded_.moments.end(),
                       [this](const Moment& moment) { return moment.step >= picture_.cycle_from; });
      folded_.cycle_from = static_cast<size_t>(first - folded_.moments.begin()) + 1;
    }
    folded_.hidden = picture_.moments.size() - folded_.moments.size();
    DropBystanders(folded_);
    return std::make_shared<const SpaceTime>(std::move(folded_));
  }

 private:
  static void KeepPlace(std::vector<Change>& changes) {
    std::erase_if(changes, [](const Change& change) {
      return change.name != kPlace && change.name != kStatus;
    });
    for (Change& change : changes) {
      if (change.name == kPlace) change.name = "at";
    }
  }

  Moment Mark(uint32_t lane, std::string label, std::string does) const {
    Moment moment{.kind = EventKind::kAction, .lane = lane};
    moment.step = index_ + 1;
    moment.label = Printable(label, true);
    moment.does = Printable(does, true);
    return moment;
  }

  // What happens at a process follows from what happened at the mailboxes, unless it breaks there.
  bool AddOfProcess(EventKind kind) {
    const Moment& original = picture_.moments[index_];
    if (kind != EventKind::kDeliver && kind != EventKind::kAction) return false;
    if (original.status == model::NodeStatus::kUp) return true;
    Moment moment = Mark(original.lane, "breaks", "");
    moment.status = original.status;
    moment.changes = original.changes;
    folded_.moments.push_back(std::move(moment));
    return true;
  }

  std::string NameOf(uint32_t process) const {
    const Lane& lane = picture_.lanes[process];
    return lane.role.empty() ? lane.name : lane.role;
  }

  // What a process has got, for people: "2", "done" without a value, "not yet".
  static std::string Got(const model::ReplayedStep& replayed) {
    if (replayed.effect.sent.empty()) return "";
    const auto answer = model::Decode<Protocol::Message>(replayed.effect.sent.front().body);
    if (!answer) return "";
    const auto* const completed = std::get_if<process::Completed>(&*answer);
    if (completed == nullptr) return "not yet";
    return completed->value.empty() ? "done" : absl::StrCat("got ", completed->value);
  }

  bool AddAnswer(const std::string& body, const model::ReplayedStep& replayed) {
    const auto action = model::Decode<Protocol::Action>(body);
    if (!action) return false;
    const auto* const given = std::get_if<Protocol::Answer>(&*action);
    const auto* const expired = std::get_if<Protocol::Expire>(&*action);
    if (given == nullptr && expired == nullptr) return false;
    const uint32_t process = given != nullptr ? given->process : expired->process;
    const auto waits = waiting_.extract(process);
    const std::string what = waits.empty() ? "Wait" : waits.mapped().label;
    folded_.moments.push_back(Mark(process, what, expired != nullptr ? "gives up" : Got(replayed)));
    return true;
  }

  void AddRequest(uint32_t from, const Protocol::Message& request, const Office& before,
                  const Office& after, const model::ReplayedStep& replayed) {
    if (const auto* send = std::get_if<process::SendRequest>(&request)) {
      Met(from, {from, send->post}, *send, Head(before, after));
    } else if (const auto* recv = std::get_if<process::RecvRequest>(&request)) {
      Met(from, {from, recv->post}, *recv, before, Head(before, after));
    } else if (const auto* test = std::get_if<process::TestRequest>(&request);
               test != nullptr && test->polled.empty()) {
      folded_.moments.push_back(Mark(from, "Test", Got(replayed)));
    } else {
      waiting_.insert_or_assign(from, Mark(from, test != nullptr ? "Test" : "Wait", "in vain"));
    }
  }

  // What was there and has been met.
  static std::optional<Post> Head(const Office& before, const Office& after) {
    for (const auto& [post, offer] : before.offers) {
      if (!after.offers.contains(post)) return post;
    }
    return std::nullopt;
  }

  void Met(uint32_t from, Post post, const process::SendRequest& send,
           const std::optional<Post>& head) {
    posted_[post] = index_ + 1;
    const std::string does = absl::StrCat("Send to ", send.to);
    if (head) {
      AddMatch(from, head->process, send.value,
               absl::StrCat(does, " meets the Recv of ", NameOf(head->process)), index_ + 1);
    } else {
      folded_.moments.push_back(Mark(from, absl::StrCat("Send(", send.value, ")"), does));
    }
  }

  void Met(uint32_t to, Post post, const process::RecvRequest& recv, const Office& before,
           const std::optional<Post>& head) {
    posted_[post] = index_ + 1;
    const std::string does = absl::StrCat("Recv from ", absl::StrJoin(recv.from, " or "));
    if (!head) {
      folded_.moments.push_back(Mark(to, "Recv", does));
      return;
    }
    const std::string& value = before.offers.at(*head).value;
    if (head->process == office_) {
      folded_.moments.push_back(Mark(to, absl::StrCat("Recv(", value, ")"),
                                     absl::StrCat(does, ", there from the start")));
      return;
    }
    const auto sent = posted_.find(*head);
    AddMatch(head->process, to, value,
             absl::StrCat(does, " meets the Send of ", NameOf(head->process)),
             sent == posted_.end() ? 0 : sent->second);
  }

  // From who sends to who receives, whoever of the two came last. `sent`: the number of its step;
  // 0: before the start.
  void AddMatch(uint32_t from, uint32_t to, const std::string& value, const std::string& does,
                size_t sent) {
    Moment moment = Mark(to, value, does);
    moment.kind = EventKind::kDeliver;
    moment.peer = moment.peer_node = from;
    if (sent > 0) moment.sent_at = sent;
    folded_.moments.push_back(std::move(moment));
  }

  // From numbers of steps to indices of moments.
  void LinkToSends() {
    for (Moment& moment : folded_.moments) {
      if (!moment.sent_at) continue;
      const auto sent =
          std::find_if(folded_.moments.begin(), folded_.moments.end(),
                       [&](const Moment& other) { return other.step == *moment.sent_at; });
      moment.sent_at = static_cast<size_t>(sent - folded_.moments.begin());
    }
  }

  const SpaceTime& picture_;
  uint32_t office_ = 0;
  SpaceTime folded_;
  size_t index_ = 0;                    // Of the step at hand.
  std::map<uint32_t, Moment> waiting_;  // By process: not answered yet.
  std::map<Post, size_t> posted_;       // The numbers of their steps.
};

}  // namespace

std::shared_ptr<const SpaceTime> FoldMatches(const model::Service& service,
                                             const model::SystemCut& start, const model::Path& path,
                                             const std::vector<model::ReplayedStep>& replayed,
                                             const SpaceTime& picture) {
  if (!process::IsProgram(service)) return nullptr;
  Folding folding(picture);
  for (size_t i = 0; i < path.size(); ++i) {
    const model::SystemCut& before = i == 0 ? start : replayed[i - 1].after;
    if (!folding.Add(i, path[i], before.nodes.back(), replayed[i])) return nullptr;
  }
  return folding.Finish();
}

}  // namespace foretell::agent
