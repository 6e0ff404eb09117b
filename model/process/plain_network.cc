#include "foretell/model/process/plain_network.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/model/typed/render.h"

namespace foretell::model::process {

PlainNetwork::Comm* PlainNetwork::Oldest(const std::string& rdv, Status status) {
  for (Comm& comm : net_) {
    if (comm.rdv == rdv && comm.status == status) return &comm;
  }
  return nullptr;
}

PlainNetwork::Comm& PlainNetwork::Add(const std::string& rdv, Status status) {
  Comm comm;
  comm.id = static_cast<uint32_t>(net_.size() + 1);
  comm.rdv = rdv;
  comm.status = status;
  return net_.emplace_back(std::move(comm));
}

void PlainNetwork::Send(uint32_t process, uint32_t post, const std::string& rdv,
                        const std::string& data) {
  Comm* comm = Oldest(rdv, Status::kRecv);
  if (comm != nullptr) comm->status = Status::kReady;
  if (comm == nullptr) comm = &Add(rdv, Status::kSend);
  comm->src = process;
  comm->data = data;
  sends_[{process, post}] = comm->id;
}

void PlainNetwork::Recv(uint32_t process, uint32_t post, const std::string& rdv) {
  Comm* comm = Oldest(rdv, Status::kSend);
  if (comm != nullptr) comm->status = Status::kReady;
  if (comm == nullptr) comm = &Add(rdv, Status::kRecv);
  comm->dst = process;
  receives_[{process, post}] = comm->id;
}

uint32_t PlainNetwork::IdOf(Post post) const {
  const auto sent = sends_.find(post);
  return sent != sends_.end() ? sent->second : receives_.at(post);
}

bool PlainNetwork::Complete(uint32_t process, uint32_t post) const {
  const Status status = net_[IdOf({process, post}) - 1].status;
  return status == Status::kReady || status == Status::kDone;
}

std::string PlainNetwork::Finish(uint32_t process, uint32_t post) {
  Comm& comm = net_[IdOf({process, post}) - 1];
  FORETELL_CHECK(comm.src && comm.dst);
  comm.status = Status::kDone;
  return receives_.contains({process, post}) ? comm.data : "";
}

PlainProcesses::PlainProcesses(const Program& program)
    : program_(&program), processes_(program.process_count()) {
  const std::vector<Program::Content>& contents = program.contents();
  for (uint32_t i = 0; i < contents.size(); ++i) {
    network_.Send(program.process_count(), i, contents[i].mailbox, contents[i].value);
  }
  for (uint32_t p = 0; p < processes_.size(); ++p) {
    processes_[p].request = ProcessRun(program, p, History()).request();
  }
}

std::vector<PlainProcesses::Move> PlainProcesses::Enabled() const {
  std::vector<Move> moves;
  for (uint32_t p = 0; p < processes_.size(); ++p) {
    const One& one = processes_[p];
    if (one.broken || std::holds_alternative<EndRequest>(one.request)) continue;
    const auto* const wait = std::get_if<WaitRequest>(&one.request);
    const auto* const test = std::get_if<TestRequest>(&one.request);
    if (wait == nullptr) {
      // Who only polls is answered when there is news.
      const bool news = test == nullptr || test->polled.empty() ||
                        std::any_of(test->polled.begin(), test->polled.end(),
                                    [&](uint32_t post) { return network_.Complete(p, post); });
      if (news) moves.push_back({p, 0});
      continue;
    }
    for (uint32_t i = 0; i < wait->posts.size(); ++i) {
      if (network_.Complete(p, wait->posts[i])) moves.push_back({p, i});
    }
  }
  return moves;
}

Result PlainProcesses::Do(Move move) {
  const Request& request = processes_[move.process].request;
  if (const auto* send = std::get_if<SendRequest>(&request)) {
    network_.Send(move.process, send->post, send->to, send->value);
    return Posted();
  }
  if (const auto* recv = std::get_if<RecvRequest>(&request)) {
    network_.Recv(move.process, recv->post, recv->from.front());
    return Posted();
  }
  if (const auto* wait = std::get_if<WaitRequest>(&request)) {
    return Completed{move.index, network_.Finish(move.process, wait->posts[move.index]), 0};
  }
  const auto& test = std::get<TestRequest>(request);
  if (!network_.Complete(move.process, test.posts[0])) return Pending();
  return Completed{0, network_.Finish(move.process, test.posts[0]), 0};
}

void PlainProcesses::Take(Move move) {
  One& one = processes_[move.process];
  History history = one.history;
  history.results.push_back(Do(move));
  try {
    const ProcessRun run(*program_, move.process, history);
    one.history = run.history();
    one.request = run.request();
  } catch (const AssertionFailed&) {
    one.broken = true;
  }
}

std::string PlainProcesses::Bytes() const {
  std::string bytes;
  for (const One& one : processes_) {
    absl::StrAppend(&bytes, RenderLine(one.history), one.broken ? "!" : "", ";");
  }
  for (const PlainNetwork::Comm& comm : network_.net()) {
    absl::StrAppend(&bytes, comm.id, "@", comm.rdv, static_cast<int>(comm.status),
                    comm.src.value_or(UINT32_MAX), ">", comm.dst.value_or(UINT32_MAX), comm.data,
                    ";");
  }
  return bytes;
}

}  // namespace foretell::model::process
