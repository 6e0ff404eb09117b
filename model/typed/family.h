#pragma once

// A family as a value: rows of scenarios, bugs and parameters, each of which edits the protocol.
//
//   inline const foretell::Family<Lock> kLock({
//       .text = "A lock server and its clients.",
//       .scenarios = {{"two", "Two clients."}, {"three", "Three.", [](Lock& l) { l.clients = 3;
//       }}}, .bugs = {{"forgets-holder", "A crashed server does not know who holds the lock.",
//                 &Lock::forgets_holder}},
//       .parameters = {{"clients", "How many clients there are.", &Lock::clients, 1, 7}},
//   });
//
// What is left out follows from the protocol: Family<Lock>() is called lock and starts from the
// initial states.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/script.h"
#include "foretell/model/scenario.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/type_name.h"

namespace foretell::model {

// A function of P; not a member of it, which could be called with one, too, to no effect.
template <class F, class P>
concept Edits = std::is_invocable_v<F, P&> && !std::is_member_object_pointer_v<F>;

// False of a lambda that is given a copy, or may not change what it is given. What takes anything
// (auto&) is believed.
template <class F>
inline constexpr bool kChangesArgument = true;
template <class R, class F, class A>
inline constexpr bool kChangesArgument<R (F::*)(A) const> =
    std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;
template <class F>
requires requires { &F::operator(); }
inline constexpr bool kChangesArgument<F> = kChangesArgument<decltype(&F::operator())>;

// What a row does to the protocol: a function of it, or a bool of it that becomes true.
template <class P>
class Edit {
 public:
  Edit() = default;
  Edit(bool P::*flag) : run_([flag](P& protocol) { protocol.*flag = true; }) {}
  template <Edits<P> F>
  Edit(F run) : run_(std::move(run)) {
    static_assert(kChangesArgument<F>,
                  "a row edits the protocol that its lambda is given: take a reference, Protocol&, "
                  "not a copy");
  }
  template <class T>
  requires std::is_object_v<T> Edit(T P::*) {
    static_assert(std::is_void_v<T>,
                  "a row that names a member sets it to true: name a bool, or write a lambda");
  }

  void operator()(P& protocol) const {
    if (run_) run_(protocol);
  }

 private:
  std::function<void(P&)> run_;
};

// Rows have constructors: GCC 12 fails on aggregates with defaults that are templates. The last one
// of each takes whatever else is written, and says what a row is.
template <class... T>
inline constexpr bool kIsScenario = false;
template <class Text, class... T>
inline constexpr bool kIsScenario<Text, T...> = kIsText<Text>;
template <class... T>
inline constexpr bool kIsBug = false;
template <class Text, class F, class... T>
inline constexpr bool kIsBug<Text, F, T...> = kIsText<Text>;
template <class... T>
inline constexpr bool kIsParameter = false;
template <class Text, class M, class P, class Least, class Most>
inline constexpr bool kIsParameter<Text, M P::*, Least, Most> = kIsText<Text>;

// Where a check starts.
template <class P>
struct ScenarioRow {
  ScenarioRow(std::string name, std::string text, Edit<P> edits = {},
              std::vector<ScriptStep> steps = {}, std::string groups = {})
      : named{std::move(name), std::move(text)},
        edit(std::move(edits)),
        script(std::move(steps)),
        components(std::move(groups)) {}
  template <class... T>
  requires(!kIsScenario<T...>) ScenarioRow(const char*, T...) {
    static_assert(
        kIsScenario<T...>,
        "a scenario is {name, text, what it does to the protocol, steps taken before}, of "
        "which the last two may be left out");
  }

  Named named;
  Edit<P> edit;                    // Of the family's protocol; empty: as it is.
  std::vector<ScriptStep> script;  // Steps taken before.
  std::string components;          // As System::components.
};

// What can be planted.
template <class P>
struct BugRow {
  using Lacks = std::function<std::string(const P&, const std::string& scenario)>;
  BugRow(std::string name, std::string text, Edit<P> edits, Lacks what_lacks = {})
      : named{std::move(name), std::move(text)},
        edit(std::move(edits)),
        lacks(std::move(what_lacks)) {}
  template <class... T>
  requires(!kIsBug<T...>) BugRow(const char*, T...) {
    static_assert(
        kIsBug<T...>,
        "a bug is {name, text, &Protocol::flag}, or a lambda of Protocol& that plants it");
  }

  Named named;
  Edit<P> edit;
  // The thing that the bug needs to show and the scenario does not have, for people: "a crash".
  // Empty if there is none.
  Lacks lacks;
};

// A number of the protocol that users may set.
template <class P>
struct ParameterRow {
  template <class T>
  requires kIsScalar<T> ParameterRow(std::string name, std::string text, T P::*member,
                                     int64_t least, int64_t most)
      : named{std::move(name), std::move(text)},
        min(least),
        max(most),
        get([member](const P& p) { return static_cast<int64_t>(p.*member); }),
        set([member](P& p, int64_t value) { p.*member = static_cast<T>(value); }) {}
  template <class T>
  ParameterRow(std::string, std::string, T P::*, int64_t, int64_t) {
    static_assert(kIsScalar<T>, "a parameter is a member that is an integer, an enum or a bool");
  }
  template <class... T>
  requires(!kIsParameter<T...>) ParameterRow(const char*, T...) {
    static_assert(kIsParameter<T...>,
                  "a parameter is {name, text, &Protocol::member, least, most}");
  }

  Named named;
  int64_t min = 0;
  int64_t max = 0;
  std::function<int64_t(const P&)> get;
  std::function<void(P&, int64_t)> set;
};

template <class P>
struct FamilyRows {
  std::string name = DashedName(TypeName<P>());
  std::string text = "";
  P protocol = P();
  std::vector<ScenarioRow<P>> scenarios =
      std::vector<ScenarioRow<P>>();  // The first is the default. None: one, "start", also live.
  std::vector<BugRow<P>> bugs = std::vector<BugRow<P>>();
  std::vector<ParameterRow<P>> parameters = std::vector<ParameterRow<P>>();
  std::string live = "";  // The scenario in which nodes run live; empty if there is none.
  std::string version = kUnversioned;
};

template <class P>
class Family : public ServiceFamily {
 public:
  Family() : Family(FamilyRows<P>()) {}
  explicit Family(FamilyRows<P> rows) : rows_(std::move(rows)) {
    if (!rows_.scenarios.empty()) return;
    rows_.scenarios = {{"start", "From the initial states."}};
    rows_.live = "start";
  }

  std::string name() const override { return rows_.name; }
  std::string text() const override { return rows_.text; }
  std::vector<Named> scenarios() const override { return NamesOf(rows_.scenarios); }
  std::vector<Named> bugs() const override { return NamesOf(rows_.bugs); }
  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> parameters;
    for (const ParameterRow<P>& row : rows_.parameters) {
      parameters.push_back({row.named, row.get(rows_.protocol), row.min, row.max});
    }
    return parameters;
  }
  std::string live_scenario() const override { return rows_.live; }
  std::string version() const override { return rows_.version; }

  absl::StatusOr<System> Make(const std::string& scenario, const std::string& bug) const override {
    const auto spec = ParseScenario(scenario);
    if (!spec.ok()) return spec.status();
    const ScenarioRow<P>* const start = Find(rows_.scenarios, spec->name);
    if (start == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("there is no scenario ", spec->name));
    }
    P protocol = rows_.protocol;
    start->edit(protocol);
    for (const ParameterRow<P>& row : rows_.parameters) {
      const auto set = spec->settings.find(row.named.name);
      if (set != spec->settings.end()) row.set(protocol, set->second);
    }
    if (const BugRow<P>* const planted = Find(rows_.bugs, bug); planted != nullptr) {
      const std::string lacks = planted->lacks ? planted->lacks(protocol, spec->name) : "";
      if (!lacks.empty()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "bug ", bug, " needs ", lacks, ", which scenario ", spec->name, " does not have"));
      }
      planted->edit(protocol);
    }
    absl::StatusOr<System> system = Start(*start, std::move(protocol));
    // With other numbers there may be other nodes.
    if (system.ok() && spec->settings.empty()) system->components = start->components;
    return system;
  }

 private:
  template <class Row>
  static std::vector<Named> NamesOf(const std::vector<Row>& rows) {
    std::vector<Named> names;
    for (const Row& row : rows) names.push_back(row.named);
    return names;
  }
  template <class Row>
  static const Row* Find(const std::vector<Row>& rows, const std::string& name) {
    for (const Row& row : rows) {
      if (row.named.name == name) return &row;
    }
    return nullptr;
  }

  static absl::StatusOr<System> Start(const ScenarioRow<P>& scenario, P protocol) {
    System system;
    system.service = MakeService(std::move(protocol));
    if (system.service->node_count() == 0) {
      return absl::InvalidArgumentError("a system has at least one node: node_count() is 0");
    }
    absl::StatusOr<SystemCut> start = Play(*system.service, scenario.script);
    if (!start.ok()) return start.status();
    system.start = *std::move(start);
    return system;
  }

  FamilyRows<P> rows_;
};

}  // namespace foretell::model
