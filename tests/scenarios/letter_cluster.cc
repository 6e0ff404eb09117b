#include "foretell/tests/scenarios/letter_cluster.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::scenarios {
namespace {

using snapshot::Receipt;
using snapshot::Stamp;

const char* ReceiptText(Receipt receipt) {
  switch (receipt) {
    case Receipt::kTake: return "taken";
    case Receipt::kDuplicate: return "nothing to handle";
    case Receipt::kStale: return "too late";
    case Receipt::kGap: return "out of order";
  }
  return "";
}

// "1.0" is the first life of the sender, with no reset so far.
std::string EpochText(uint64_t epoch) {
  return absl::StrCat(snapshot::LifeOf(epoch), ".",
                      epoch - snapshot::FirstEpoch(snapshot::LifeOf(epoch)));
}

std::string StampText(const Stamp& stamp) {
  return absl::StrCat("message ", stamp.seq, " of epoch ", EpochText(stamp.epoch), ", checkpoint ",
                      stamp.checkpoint);
}

absl::Status Nonsense(const std::string& what) { return absl::InvalidArgumentError(what); }

std::string NodeText(const model::Service& service, uint32_t n, const model::NodeState& node) {
  if (node.status == model::NodeStatus::kAbsent) return "absent";
  std::string text;
  for (const model::Field& field : service.RenderState(model::NodeId(n), node.body)) {
    absl::StrAppend(&text, text.empty() ? "" : " ", field.name, "=", field.value);
  }
  return text;
}

}  // namespace

LetterCluster::LetterCluster(uint32_t nodes, model::NetworkKind kind)
    : service_(model::MakeService(Letters{.nodes = nodes, .kind = kind})), nodes_(nodes) {
  for (uint32_t n = 0; n < nodes; ++n) nodes_[n].checkpointer = MakeCheckpointer(n);
}

std::unique_ptr<snapshot::Checkpointer> LetterCluster::MakeCheckpointer(uint32_t n) {
  return std::make_unique<snapshot::Checkpointer>(
      snapshot::Checkpointer::Options{.node = model::NodeId(n),
                                      .network = service_->network().kind,
                                      .life = nodes_[n].life,
                                      .number = nodes_[n].number},
      [this, n] { return model::NodeState{.body = model::Encode(nodes_[n].state)}; });
}

absl::StatusOr<uint32_t> LetterCluster::NodeAt(const Words& words, size_t index) const {
  uint32_t n = 0;
  if (index >= words.size() || !absl::SimpleAtoi(words[index], &n) || n >= nodes_.size()) {
    return Nonsense("a number of a node is missing or wrong");
  }
  return n;
}

absl::StatusOr<uint32_t> LetterCluster::UpAt(const Words& words, size_t index) const {
  auto n = NodeAt(words, index);
  if (n.ok() && !up(*n)) return Nonsense(absl::StrCat("node ", *n, " is down"));
  return n;
}

absl::StatusOr<std::string> LetterCluster::Run(const std::string& line) {
  const Words words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  if (words.empty()) return Nonsense("an empty line");
  const bool one = words[0] == "ask" || words[0] == "crash" || words[0] == "restart";
  auto happened = one ? RunOne(words) : RunPair(words);
  if (!happened.ok()) {
    return Nonsense(absl::StrCat(line, ": ", std::string(happened.status().message())));
  }
  return absl::StrCat(line, ": ", *happened, "\n");
}

absl::StatusOr<std::string> LetterCluster::RunOne(const Words& words) {
  const bool restart = words[0] == "restart";
  const auto n = restart ? NodeAt(words, 1) : UpAt(words, 1);
  if (!n.ok()) return n.status();
  if (restart && up(*n)) return Nonsense("it is up");
  if (restart) return Restart(*n);
  if (words[0] == "crash") return Crash(*n);
  uint64_t number = 0;
  if (words.size() != 3 || !absl::SimpleAtoi(words[2], &number)) return Nonsense("for which?");
  return Ask(*n, number);
}

absl::StatusOr<std::string> LetterCluster::RunPair(const Words& words) {
  const bool send = words[0] == "send" && words.size() == 4;
  const auto from = UpAt(words, 1);
  if (!from.ok()) return from.status();
  const auto to = send ? NodeAt(words, 2) : UpAt(words, 2);
  if (!to.ok()) return to.status();
  if (send) return Send(*from, *to, words[3]);
  if (words[0] == "receive" && words.size() >= 4) return Receive(*from, *to, words);
  if (words[0] == "announce") return Announce(*from, *to);
  if (words[0] == "acknowledge") return Acknowledge(*from, *to);
  if (words[0] == "reset") return Reset(*from, *to);
  if (words[0] == "broken") return Break(*from, *to);
  return Nonsense("nothing that can happen");
}

std::string LetterCluster::Send(uint32_t from, uint32_t to, const std::string& text) {
  const std::string body = model::Encode(Letters::Message{text});
  const Stamp stamp = nodes_[from].checkpointer->OnSend(model::NodeId(to), body);
  letters_.push_back({from, to, text, stamp});
  return StampText(stamp);
}

absl::StatusOr<std::string> LetterCluster::Receive(uint32_t from, uint32_t to, const Words& words) {
  const auto letter = std::find_if(letters_.begin(), letters_.end(), [&](const Letter& one) {
    return one.from == from && one.to == to && one.text == words[3];
  });
  if (letter == letters_.end()) return Nonsense("nobody has sent it");
  Stamp stamp = letter->stamp;
  if (words.size() == 5 && words[4] == "unstamped") stamp.checkpoint = 0;
  Node& node = nodes_[to];
  const uint64_t before = node.checkpointer->number();
  const Receipt receipt = node.checkpointer->OnReceive(model::NodeId(from), stamp);
  const uint64_t after = node.checkpointer->number();
  if (receipt == Receipt::kTake) {
    node.state.got += letter->text;
    node.heard[from] = std::max(node.heard[from], stamp.epoch);
  }
  return absl::StrCat(ReceiptText(receipt),
                      after > before ? absl::StrCat(", checkpoint ", after, " before it") : "");
}

std::string LetterCluster::Announce(uint32_t from, uint32_t to) {
  const Stamp stamp = nodes_[from].checkpointer->Announce(model::NodeId(to));
  nodes_[to].checkpointer->OnReceive(model::NodeId(from), stamp);
  nodes_[to].heard[from] = std::max(nodes_[to].heard[from], stamp.epoch);
  return absl::StrCat("epoch ", EpochText(stamp.epoch));
}

std::string LetterCluster::Reset(uint32_t from, uint32_t to) {
  snapshot::Checkpointer& sender = *nodes_[from].checkpointer;
  sender.OnOutgoingBroken(model::NodeId(to));
  return absl::StrCat("epoch ", EpochText(sender.Announce(model::NodeId(to)).epoch));
}

std::string LetterCluster::Break(uint32_t from, uint32_t to) {
  Node& receiver = nodes_[to];
  const uint64_t epoch = receiver.heard[from];
  receiver.checkpointer->OnIncomingBroken(model::NodeId(from), epoch);
  receiver.state.got += '!';
  return absl::StrCat("epoch ", EpochText(epoch), " is over");
}

std::string LetterCluster::Acknowledge(uint32_t from, uint32_t to) {
  const auto stamp = nodes_[to].checkpointer->Acknowledgement(model::NodeId(from));
  if (!stamp) return "nothing was received";
  nodes_[from].checkpointer->OnAcknowledged(model::NodeId(to), *stamp);
  return StampText(*stamp);
}

std::string LetterCluster::Ask(uint32_t n, uint64_t number) {
  Answers& answers = answers_[number];
  answers.checkpoints.resize(nodes_.size());
  answers.reasons.resize(nodes_.size(), "not asked");
  const auto answer = nodes_[n].checkpointer->Request(number);
  answers.checkpoints[n] = answer.ok() ? *answer : nullptr;
  if (!answer.ok()) return answers.reasons[n] = std::string(answer.status().message());
  return absl::StrCat("checkpoint ", (*answer)->number, ", ",
                      NodeText(*service_, n, (*answer)->state));
}

std::string LetterCluster::Crash(uint32_t n) {
  nodes_[n].number = nodes_[n].checkpointer->number();
  nodes_[n].checkpointer.reset();
  return "down";
}

std::string LetterCluster::Restart(uint32_t n) {
  ++nodes_[n].life;
  nodes_[n].heard.clear();
  nodes_[n].checkpointer = MakeCheckpointer(n);
  return absl::StrCat("life ", nodes_[n].life);
}

std::string LetterCluster::Cut(uint64_t number) const {
  const auto answers = answers_.find(number);
  if (answers == answers_.end()) return "nobody was asked\n";
  const auto cut =
      snapshot::Assemble(*service_, number, answers->second.checkpoints, answers->second.reasons);
  if (!cut.ok()) return absl::StrCat("rejected: ", std::string(cut.status().message()), "\n");
  std::string text = cut->exact ? "exact\n" : "not exact\n";
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    absl::StrAppend(&text, "node ", n, ": ", NodeText(*service_, n, cut->cut.nodes[n]), "\n");
  }
  for (const model::Message& message : cut->cut.in_flight) {
    absl::StrAppend(&text, "in flight from ", message.from.value(), " to ", message.to.value(),
                    ": ", model::Decode<Letters::Message>(message.body)->text, "\n");
  }
  for (const std::string& note : cut->notes) absl::StrAppend(&text, "note: ", note, "\n");
  return text;
}

}  // namespace foretell::scenarios
