#include "foretell/dir/dir_explorer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/ids/table_figures.h"
#include "foretell/dir/notes.h"
#include "foretell/dir/trace/cut_checker.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/verdict.h"

namespace foretell::dir {
namespace {

// The analysis of nodes must not eat up the time to use it.
constexpr uint32_t kAnalysisPercent = 30;
// No protocol needs that many events to come to an end. Beyond, one that never ends is likelier.
constexpr uint32_t kEventsMax = 1000;

bool CanEmptyStreams(const model::Service& service, const model::SystemCut& start) {
  if (service.network().kind != model::NetworkKind::kStreams) return false;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    const model::FaultBudget budget = service.faults(model::NodeId(n));
    for (const model::FaultKindInfo& fault : model::kFaults) {
      if (budget[fault.kind] > 0 && model::CanEmptyStreams(fault.kind)) return true;
    }
    if (start.nodes[n].status == model::NodeStatus::kDown) return true;
  }
  return false;
}

// The signature of the cut in which a check starts.
Signature StartSignature(const model::SystemCut& start) {
  Signature sum;
  const auto number = [](uint64_t value) { return Signature{0, value}; };
  for (size_t n = 0; n < start.nodes.size(); ++n) {
    const model::NodeState& node = start.nodes[n];
    std::vector<Signature> parts = {number(n), number(static_cast<uint64_t>(node.status))};
    for (const uint8_t count : node.faults) parts.push_back(number(count));
    parts.push_back(SignatureOf(node.body));
    sum += SignatureOf(parts);
  }
  for (size_t i = 0; i < start.in_flight.size(); ++i) {
    const model::Message& message = start.in_flight[i];
    sum += SignatureOf({number(i), number(message.from.value()), number(message.to.value()),
                        SignatureOf(message.body)});
  }
  return sum;
}

// One check.
class Check final : private SkeletonVisitor {
 public:
  Check(const model::Service& service, const DirOptions& options, const model::SystemCut& start,
        const Components& components, model::Budget& budget)
      : options_(options),
        start_(start),
        analysis_(Analyse(service, budget)),
        setting_{.service = service,
                 .start = start,
                 .components = components,
                 .event_numbers = event_numbers_,
                 .dependency = analysis_.dependency,
                 .interface = Interface::kSends,
                 .projection = &analysis_.projection,
                 .depth_max = std::min(options.depth_max, kEventsMax)},
        jobs_(MakeJobs(budget)),
        explorer_(setting_, options.checker, *jobs_),
        checker_(explorer_.table(), start, AllNodes(service.node_count())) {}

  absl::StatusOr<model::Report> Run(model::Budget& budget) {
    if (analysis_.nondeterminism) {
      return search::NotDeterministic({}, *analysis_.nondeterminism);
    }
    if (options_.journal && !analysis_.finished) return UnfinishedAnalysis();
    if (absl::Status opened = OpenJournal(); !opened.ok()) return opened;
    const bool explored = explorer_.Explore(budget, this, [&](const Tally& tally) {
      if (options_.progress) ReportProgress(tally);
    });
    if (journal_ != nullptr) journal_->Sync();
    model::Report report;
    FillStats(explored, report);
    NoteJournal(report);
    const bool decided = checker_.findings().empty() || options_.all_invariants;
    const bool complete = explored && decided && unconfirmed_ == 0;
    auto concluded = search::Conclude(AuditedTable(), checker_.invariants(), start_,
                                      checker_.findings(), complete, budget, std::move(report));
    if (!concluded.ok()) return concluded;
    const TableFigures figures = FiguresOf(explorer_.tables());
    concluded->stats.node_states = figures.node_states;
    concluded->stats.handler_executions = figures.handler_executions;
    return concluded;
  }

 private:
  // The analysis of nodes before the exploration.
  struct Analysis {
    Dependency dependency;
    InterfaceProjection projection;
    bool finished;  // Within its share of the budget.
    std::optional<std::string> nondeterminism;
  };
  // Results in a journal rest upon it, so there it must not depend on how fast this machine is.
  Analysis Analyse(const model::Service& service, model::Budget& budget) {
    model::Budget share = budget.Share(options_.journal ? 100 : kAnalysisPercent);
    GrownNodeGraphs grown(service, start_, share);
    const bool exact = options_.dependency == DependencyMode::kExact;
    Analysis result{exact
                        ? Dependency::Exact(grown, /*check_invariants=*/true, event_numbers_, share)
                        : Dependency::Conservative(),
                    InterfaceProjection(service, grown, share), true, std::nullopt};
    grown.table.Audit();
    result.nondeterminism = grown.table.nondeterminism();
    result.finished = !share.spent();
    budget.Charge(share);
    budget.Poll();
    return result;
  }

  // Threads share what is left of the budget as they come; with a limit on steps, where it ends
  // would depend on who comes first. More than one for each component have nothing to do.
  std::unique_ptr<JobEngine> MakeJobs(const model::Budget& budget) const {
    const uint32_t threads = std::min(options_.threads, setting_.components.count());
    const bool repeatable = budget.limits().steps_max != UINT64_MAX;
    return threads > 1 && !repeatable ? MakeThreadEngine(threads) : MakeInlineEngine();
  }

  bool Visit(const Skeleton& skeleton, Composer& composer, model::Budget& budget) override {
    return checker_.Check(composer.Replay(skeleton.trace), budget) && !Done();
  }

  bool Confirm(const Skeleton& skeleton, Composer& composer, model::InvariantSet broken) override {
    if (Done()) return false;
    checker_.CheckWithin(composer.Replay(skeleton.trace));
    unconfirmed_ |= broken & checker_.open();
    return !Done();
  }

  // The basis of results: those with another are about something else, even if the system is the
  // same.
  std::string Basis() const {
    return absl::StrCat("start ", absl::Hex(StartSignature(start_).low), ", components ",
                        setting_.components.ToString(), ", dependency ",
                        analysis_.dependency.exact() ? "exact" : "conservative", ", projections ",
                        analysis_.projection.precise() ? "known" : "unknown");
  }

  static model::Report UnfinishedAnalysis() {
    model::Report report;
    report.outcome = model::Outcome::kBudget;
    report.notes.push_back(
        "The budget did not last to find out what nodes may do, which a journal rests upon.");
    return report;
  }

  absl::Status OpenJournal() {
    if (!options_.journal) return absl::OkStatus();
    auto journal = options_.journal(setting_.components, Basis(), event_numbers_);
    if (!journal.ok()) return journal.status();
    journal_ = *std::move(journal);
    std::vector<UnitResult> results = journal_->TakeResults();
    resumed_ = results.size();
    explorer_.Resume(std::move(results));
    explorer_.set_journal(journal_.get());
    return absl::OkStatus();
  }

  void NoteJournal(model::Report& report) const {
    if (journal_ == nullptr) return;
    for (std::string& note : JournalNotes(resumed_, journal_->losses())) {
      report.notes.push_back(std::move(note));
    }
    if (!journal_->status().ok()) {
      report.notes.push_back(
          absl::StrCat("The journal ends early: ", std::string(journal_->status().message()), "."));
    }
  }

  bool Done() const {
    return checker_.open() == 0 || (!checker_.findings().empty() && !options_.all_invariants);
  }

  void ReportProgress(const Tally& tally) const {
    model::Progress progress;
    progress.phase = "exploring";
    progress.transitions = tally.transitions;
    progress.depth = tally.longest;
    progress.bytes = tally.bytes;
    progress.text = ProgressText(tally);
    options_.progress(progress);
  }

  void FillStats(bool explored, model::Report& report) {
    Tally tally = explorer_.tally();
    if (explored) explorer_.CountTraces(tally);
    report.stats.transitions = tally.transitions;
    report.stats.traces = tally.local_traces;
    report.stats.depth = tally.longest;
    report.stats.bytes = tally.bytes;
    // A journal does not say how many traces there were in the parts of components.
    const bool local_traces_known = resumed_ == 0 || !setting_.components.is_divided();
    report.notes.push_back(CountsText(tally, explored, local_traces_known));
    if (options_.dependency == DependencyMode::kExact && !analysis_.dependency.exact()) {
      report.notes.push_back(
          "Dependencies are conservative: what the nodes may do could not be closed within its "
          "share of the budget.");
    }
    if (!analysis_.projection.precise()) {
      report.notes.push_back(
          "Components show all that invariants look at: what nodes may come to is not known, or "
          "too much to compare.");
    }
    if (unconfirmed_ != 0) {
      report.notes.push_back(
          "What a component seemed to break could not be confirmed: a bug of this engine.");
    }
    if (explorer_.cut_off()) {
      report.notes.push_back(absl::StrCat("Not followed to their end: executions of more than ",
                                          Counted(setting_.depth_max, "event"),
                                          ". This engine is for those that end."));
    }
  }

  // A table that caught the service in a contradiction, if there is one.
  model::TransitionTable& AuditedTable() {
    for (model::TransitionTable* const table : explorer_.tables()) {
      table->Audit();
      for (const search::Finding& finding : checker_.findings()) {
        table->AuditPath(start_, finding.second);
      }
      if (table->nondeterminism()) return *table;
    }
    return explorer_.table();
  }

  const DirOptions& options_;
  const model::SystemCut& start_;
  EventNumbers event_numbers_;
  const Analysis analysis_;
  const CheckSetting setting_;
  const std::unique_ptr<JobEngine> jobs_;
  GlobalExplorer explorer_;
  CutChecker checker_;
  model::InvariantSet unconfirmed_ = 0;  // Invariants of suspects that were not confirmed.
  std::unique_ptr<JournalFile> journal_;
  uint64_t resumed_ = 0;
};

class DirExplorer final : public model::Explorer {
 public:
  DirExplorer(const model::Service& service, DirOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    const uint32_t count = service_.node_count();
    auto components = options_.components.empty() ? Components::Nodes(count)
                                                  : Components::Parse(options_.components, count);
    if (!components.ok()) return components.status();
    if (const absl::Status covered = CoveredByDir(service_, start); !covered.ok()) {
      model::Report report;
      report.outcome = model::Outcome::kBudget;
      report.notes.push_back(
          absl::StrCat("Nothing was explored: ", std::string(covered.message()), "."));
      return report;
    }
    return Check(service_, options_, start, *components, budget).Run(budget);
  }

 private:
  const model::Service& service_;
  const DirOptions options_;
};

}  // namespace

absl::Status CoveredByDir(const model::Service& service, const model::SystemCut& start) {
  if (!CanEmptyStreams(service, start)) return absl::OkStatus();
  return absl::UnimplementedError("engine dir does not cover streams that a fault can empty");
}

std::unique_ptr<model::Explorer> MakeDirExplorer(const model::Service& service,
                                                 DirOptions options) {
  return std::make_unique<DirExplorer>(service, std::move(options));
}

}  // namespace foretell::dir
