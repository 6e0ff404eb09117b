// Steps of a service, drawn.

#include "absl/strings/str_cat.h"
#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/tests/scenarios/steps.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {
namespace {

std::string Drawn(const agent::SpaceTime& picture, const std::string& format,
                  const agent::TerminalStyle& style) {
  if (format == "mermaid") return agent::DrawMermaid(picture);
  if (format == "svg") return agent::DrawSvg(picture);
  const std::string text = agent::DrawText(picture, style);
  if (!picture.invariant.empty()) return text;
  return text + "every invariant holds\n";
}

}  // namespace

Reaction WalkPath(const Command& command, Stage& stage) {
  if (command.words.empty()) return absl::InvalidArgumentError("usage: path SERVICE [OPTION...]");
  const auto selection = agent::Select(stage.parts.catalog, command.words[0],
                                       command.Option("--scenario"), command.Option("--bug"));
  if (!selection.ok()) return selection.status();
  const model::Service& service = *selection->system.service;
  model::PlainSystem system(service, selection->system.start);
  model::Violation violation;
  for (const std::string& line : command.input) {
    const auto step = StepOf(line, service, system);
    // What is possible is up to the service: a reaction like any other.
    if (!step.ok()) return std::string(step.status().message());
    const auto effect = system.Apply(*step);
    if (!effect.ok()) return effect.status();
    violation.path.push_back(*step);
  }
  if (const auto violated = system.Violated(); !violated.empty()) {
    violation.invariant = violated.front();
    violation.text = system.Explain(violated.front());
  }
  const std::string title = command.Option("--title");
  const auto picture = agent::BuildSpaceTime(service, selection->system.start, violation,
                                             title.empty() ? selection->service : title);
  if (!picture.ok()) return picture.status();
  return Drawn(*picture, command.Option("--format"), stage.style);
}

}  // namespace foretell::scenarios
