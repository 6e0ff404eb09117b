#include "foretell/agent/drawing/svg.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/drawing/svg_style.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

using model::EventKind;
using model::NodeStatus;

constexpr double kGlyph = 7.85;  // Width of one character of the 13 px monospace font.
constexpr double kLine = 18;     // Distance of two lines of text.
constexpr double kPad = 24;
constexpr double kRowMin = 40;
constexpr size_t kLabelMax = 20;
constexpr size_t kBesideMax = 60;

struct Note {
  std::string text;
  const char* style;
};

class SvgDrawing {
 public:
  SvgDrawing(const SpaceTime& picture, std::string ids)
      : picture_(picture), ids_(std::move(ids)), common_(CommonPrefix(picture)) {
    Place();
  }
  std::string Draw();

 private:
  double LaneX(size_t lane) const { return first_lane_ + static_cast<double>(lane) * gap_; }
  static bool LabelIsLeft(const Moment& m) {
    return m.kind == EventKind::kDeliver && m.peer > m.lane;
  }
  static std::string ShownLabel(const Moment& m) {
    return Width(m.label) <= kLabelMax ? m.label : Shorten(ShortLabel(m.label), kLabelMax, true);
  }
  static std::string Header(const Lane& lane) {
    return Shorten(HeaderText(lane), kHeaderMax, true);
  }
  void Place();
  void PlaceRows();
  std::vector<Note> NotesOf(size_t index) const;
  void Text(double x, double y, const std::string& style, const std::string& text,
            const std::string& anchor = "start");
  void Line(double x, double y_from, double y_to, bool down);
  void DrawFrame();
  void DrawLanes();
  void DrawRow(size_t index);
  void DrawArrow(size_t index);
  void DrawBreak(const Moment& moment, double y);
  void DrawMark(size_t index);
  void DrawLabel(size_t index);
  void DrawAlarm();

  const SpaceTime& picture_;
  const std::string ids_;  // What ids begin with.
  const std::string common_;
  std::vector<std::vector<Note>> notes_;
  std::vector<double> row_top_;
  std::vector<double> row_height_;
  std::vector<std::string> start_;
  std::vector<std::string> alarm_;
  double first_lane_ = 0;
  double gap_ = 0;
  double beside_ = 0;
  double names_ = 0;  // Where the names of the lanes stand.
  double pill_ = 76;  // The width of what is around them.
  double bottom_ = 0;
  double width_ = 0;
  double height_ = 0;
  std::string out_;
};

std::vector<Note> SvgDrawing::NotesOf(size_t index) const {
  const Moment& moment = picture_.moments[index];
  std::vector<Note> notes;
  const auto add = [&](const std::string& text, const char* style) {
    for (std::string& line : Wrap(text, kBesideMax)) notes.push_back({std::move(line), style});
  };
  if (index + 1 == picture_.cycle_from) add(kCycleText, "alarm-text");
  if (ShownLabel(moment) != moment.label) add(moment.label, "full");
  if (!moment.does.empty()) add(moment.does, "full");
  for (const std::string& line : ChangeLines(moment.changes, common_, "→")) add(line, "change");
  if (!moment.choices.empty()) add(ChoicesText(moment), "aside");
  for (const std::string& sent : SendTexts(moment)) add("sends " + sent, "aside");
  return notes;
}

// Every step has a row of its own, so that no two labels share a height.
void SvgDrawing::PlaceRows() {
  double y = names_ + 44;
  for (size_t i = 0; i < picture_.moments.size(); ++i) {
    notes_.push_back(NotesOf(i));
    row_top_.push_back(y);
    row_height_.push_back(std::max(kRowMin, static_cast<double>(notes_[i].size()) * kLine + 14));
    y += row_height_.back();
  }
  bottom_ = y + 8;
}

void SvgDrawing::Place() {
  size_t label = 8;
  size_t first_label = 3;
  size_t last_label = 6;
  for (const Moment& m : picture_.moments) {
    const size_t length = Width(ShownLabel(m));
    label = std::max(label, length);
    if (m.lane == 0 && LabelIsLeft(m)) first_label = std::max(first_label, length);
    if (m.lane + 1 == picture_.lanes.size()) last_label = std::max(last_label, length);
  }
  for (const Lane& lane : picture_.lanes) {
    if (lane.role.empty()) continue;
    pill_ = std::max(pill_, static_cast<double>(Width(Header(lane))) * kGlyph + 28);
  }
  gap_ = std::max(static_cast<double>(label) * kGlyph + 44, pill_ + 12);
  first_lane_ = std::max(kPad + 50 + static_cast<double>(first_label) * kGlyph, kPad + pill_ / 2);
  beside_ = LaneX(picture_.lanes.size() - 1) +
            std::max(static_cast<double>(last_label) * kGlyph + 40, pill_ / 2 + 12);
  for (const Lane& lane : picture_.lanes) {
    if (lane.at_start.empty()) continue;
    const std::string text = absl::StrCat(
        lane.name, " starts with ", absl::StrJoin(ChangeLines(lane.at_start, common_, ""), "; "));
    for (std::string& line : Wrap(text, 110)) start_.push_back(std::move(line));
  }
  if (picture_.bystanders > 0) start_.push_back(BystandersText(picture_));
  if (picture_.hidden > 0) start_.push_back(HiddenText(picture_));
  if (!common_.empty()) start_.push_back(absl::StrCat("names are those of ", common_));
  names_ = kPad + 62 + static_cast<double>(start_.size()) * kLine;
  PlaceRows();
  size_t beside = 24;
  for (const auto& notes : notes_) {
    for (const Note& note : notes) beside = std::max(beside, Width(note.text));
  }
  width_ = beside_ + static_cast<double>(beside) * kGlyph + kPad;
  const double header = static_cast<double>(Width(picture_.title)) * 9.7 + 2 * kPad;
  width_ = std::max({width_, header, 620.0});
  const auto columns = static_cast<size_t>((width_ - 2 * kPad - 32) / kGlyph);
  alarm_ = Wrap(picture_.why, columns);
  height_ = bottom_ + 48 + static_cast<double>(alarm_.size()) * kLine + kPad;
}

void SvgDrawing::Text(double x, double y, const std::string& style, const std::string& text,
                      const std::string& anchor) {
  absl::StrAppend(&out_, "  <text class=\"", style, "\" x=\"", x, "\" y=\"", y, "\"");
  if (anchor != "start") absl::StrAppend(&out_, " text-anchor=\"", anchor, "\"");
  absl::StrAppend(&out_, ">", XmlText(text), "</text>\n");
}

void SvgDrawing::Line(double x, double y_from, double y_to, bool down) {
  absl::StrAppend(&out_, "  <line class=\"lane", down ? " down" : "", "\" x1=\"", x, "\" y1=\"",
                  y_from, "\" x2=\"", x, "\" y2=\"", y_to, "\"/>\n");
}

void SvgDrawing::DrawFrame() {
  absl::StrAppend(&out_, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width_,
                  "\" height=\"", height_, "\" viewBox=\"0 0 ", width_, " ", height_,
                  "\" xml:space=\"preserve\" role=\"img\" aria-labelledby=\"", ids_, "title ", ids_,
                  "desc\">\n");
  absl::StrAppend(&out_, "  <title id=\"", ids_, "title\">", XmlText(picture_.title),
                  picture_.invariant.empty() ? "" : ": violation of ", XmlText(picture_.invariant),
                  "</title>\n");
  absl::StrAppend(&out_, "  <desc id=\"", ids_, "desc\">Space-time diagram of ",
                  picture_.moments.size(), " steps on ",
                  picture_.lanes.size() + picture_.bystanders, " nodes. ", XmlText(picture_.why),
                  "</desc>\n", kSvgStyle);
  absl::StrAppend(&out_, "  <defs><marker id=\"", ids_,
                  "head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" "
                  "refY=\"4\" orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path class=\"head\" "
                  "d=\"M0,0 L9,4 L0,8 z\"/></marker></defs>\n");
  absl::StrAppend(&out_, "  <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"", width_ - 1,
                  "\" height=\"", height_ - 1, "\" rx=\"10\"/>\n");
  Text(kPad, kPad + 12, "title", picture_.title);
  for (size_t i = 0; i < start_.size(); ++i) {
    Text(kPad, kPad + 34 + static_cast<double>(i) * kLine, "sub", start_[i]);
  }
}

void SvgDrawing::DrawLanes() {
  for (size_t n = 0; n < picture_.lanes.size(); ++n) {
    const double x = LaneX(n);
    NodeStatus status = picture_.lanes[n].status;
    double from = names_ + 16;
    for (size_t i = 0; i < picture_.moments.size(); ++i) {
      const Moment& moment = picture_.moments[i];
      if (moment.lane != n || moment.status == status) continue;
      if (status != NodeStatus::kFailed) Line(x, from, row_top_[i] + 18, status != NodeStatus::kUp);
      from = row_top_[i] + 18;
      status = moment.status;
    }
    if (status != NodeStatus::kFailed) Line(x, from, bottom_, status != NodeStatus::kUp);
    absl::StrAppend(&out_, "  <rect class=\"pill\" x=\"", x - pill_ / 2, "\" y=\"", names_ - 12,
                    "\" width=\"", pill_, "\" height=\"26\" rx=\"13\"/>\n");
    Text(x, names_ + 6, "name", Header(picture_.lanes[n]));
  }
}

void SvgDrawing::DrawRow(size_t index) {
  const double y = row_top_[index];
  if (index % 2 == 0) {
    absl::StrAppend(&out_, "  <rect class=\"row\" x=\"", kPad / 2, "\" y=\"", y, "\" width=\"",
                    width_ - kPad, "\" height=\"", row_height_[index], "\" rx=\"4\"/>\n");
  }
}

// Messages lean from the moment of sending to the moment of delivery.
void SvgDrawing::DrawArrow(size_t index) {
  const Moment& moment = picture_.moments[index];
  if (model::IsOfStream(moment.kind)) DrawBreak(moment, row_top_[index] + 18);
  if (moment.kind != EventKind::kDeliver) return;
  const double x_from = LaneX(moment.peer);
  const double x_to = LaneX(moment.lane);
  const double y_from = moment.sent_at ? row_top_[*moment.sent_at] + 18 : names_ + 16;
  const double y_to = row_top_[index] + 18;
  absl::StrAppend(&out_, "  <path class=\"arrow", moment.sent_at ? "" : " early", "\" d=\"M",
                  x_from, ",", y_from);
  if (moment.peer == moment.lane) {
    absl::StrAppend(&out_, " C", x_to + 34, ",", y_from + 8, " ", x_to + 34, ",", y_to - 8, " ",
                    x_to + 7, ",", y_to - 2);
  } else {
    // Ends short of the mark, so that the head stays visible.
    const double length = std::max(1.0, std::hypot(x_to - x_from, y_to - y_from));
    absl::StrAppend(&out_, " L", x_to - (x_to - x_from) / length * 7, ",",
                    y_to - (y_to - y_from) / length * 7);
  }
  absl::StrAppend(&out_, "\" marker-end=\"url(#", ids_, "head)\"/>\n");
}

void SvgDrawing::DrawBreak(const Moment& moment, double y) {
  absl::StrAppend(&out_, "  <path class=\"arrow early\" d=\"M", LaneX(moment.peer), ",", y, " L",
                  LaneX(moment.lane), ",", y, "\"/>\n");
}

void SvgDrawing::DrawMark(size_t index) {
  const Moment& moment = picture_.moments[index];
  const double x = LaneX(moment.lane);
  const double y = row_top_[index] + 18;
  const bool last = index + 1 == picture_.moments.size() && !picture_.invariant.empty();
  const bool fault = moment.kind != EventKind::kDeliver && moment.kind != EventKind::kAction;
  const char* style = moment.kind == EventKind::kAction ? " act" : fault ? " fault" : "";
  if (last || moment.status == NodeStatus::kFailed) style = " bad";
  absl::StrAppend(&out_, "  <circle class=\"mark", style, "\" cx=\"", x, "\" cy=\"", y, "\" r=\"",
                  last ? 8 : 6, "\"/>\n");
  Text(kPad + 18, y + 5, last ? "alarm-text" : "number", std::to_string(moment.step), "end");
}

// On the side away from the arrow: an answer mostly goes back where the question came from.
void SvgDrawing::DrawLabel(size_t index) {
  const Moment& moment = picture_.moments[index];
  const bool left = LabelIsLeft(moment);
  const bool loop = moment.kind == EventKind::kDeliver && moment.peer == moment.lane;
  Text(LaneX(moment.lane) + (left   ? -14
                             : loop ? 24
                                    : 14),
       row_top_[index] + 23, index % 2 == 0 ? "label row-label" : "label", ShownLabel(moment),
       left ? "end" : "start");
  for (size_t i = 0; i < notes_[index].size(); ++i) {
    Text(beside_, row_top_[index] + 22 + static_cast<double>(i) * kLine, notes_[index][i].style,
         notes_[index][i].text);
  }
}

void SvgDrawing::DrawAlarm() {
  absl::StrAppend(&out_, "  <rect class=\"alarm\" x=\"", kPad, "\" y=\"", bottom_ + 12,
                  "\" width=\"", width_ - 2 * kPad, "\" height=\"",
                  36 + static_cast<double>(alarm_.size()) * kLine, "\" rx=\"6\"/>\n");
  Text(kPad + 16, bottom_ + 36, "alarm-text", "Violation of " + picture_.invariant);
  for (size_t i = 0; i < alarm_.size(); ++i) {
    Text(kPad + 16, bottom_ + 36 + static_cast<double>(i + 1) * kLine, "plain", alarm_[i]);
  }
}

std::string SvgDrawing::Draw() {
  DrawFrame();
  // Bands lie below lanes, lanes below arrows, and text above all.
  for (size_t i = 0; i < picture_.moments.size(); ++i) DrawRow(i);
  DrawLanes();
  for (size_t i = 0; i < picture_.moments.size(); ++i) DrawArrow(i);
  for (size_t i = 0; i < picture_.moments.size(); ++i) DrawMark(i);
  for (size_t i = 0; i < picture_.moments.size(); ++i) DrawLabel(i);
  if (!picture_.invariant.empty()) DrawAlarm();
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace

std::string DrawSvg(const SpaceTime& picture) { return DrawSvg(picture, ""); }

std::string DrawSvg(const SpaceTime& picture, const std::string& ids) {
  return SvgDrawing(EasiestToRead(picture), ids).Draw();
}

}  // namespace foretell::agent
