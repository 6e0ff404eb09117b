#include "foretell/tests/bench/liveness/plot.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/model/check.h"

namespace foretell::bench {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 500;
constexpr double kLeft = 76;
constexpr double kRight = 600;  // Beyond is the legend.
constexpr double kTop = 84;
constexpr double kBottom = 424;
constexpr double kFirst = 10;
constexpr double kLast = 20'000;

// As the pictures of paths (agent/drawing): twice, since not every viewer knows variables.
constexpr const char* kStyle = R"(  <style>
    text { font: 13px ui-sans-serif, "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #1f2933 }
    .card { fill: #ffffff; stroke: #d5dbe3 }
    .title { font-size: 16px; font-weight: bold }
    .sub { fill: #66727f }
    .head { font-weight: bold }
    .grid { stroke: #e4e9ef; stroke-width: 1 }
    .fine { stroke: #f1f4f7; stroke-width: 1 }
    .axis { stroke: #8896a5; stroke-width: 1.2 }
    .depth { stroke: #8896a5; stroke-width: 1.2; stroke-dasharray: 5 4 }
    .curve { fill: none; stroke-width: 2.4; stroke-linejoin: round }
    .c0 { stroke: #2f6fde } .c1 { stroke: #0f9d76 } .c2 { stroke: #d97706 } .c3 { stroke: #a33fb5 }
    .mark { fill: #ffffff; stroke-width: 2.2 }
    .all { stroke: #66727f }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .card, .mark { fill: #0f141a }
      .card { stroke: #2d3640 }
      .sub { fill: #93a1b0 }
      .grid { stroke: #26303a } .fine { stroke: #19212a }
      .axis, .depth, .all { stroke: #93a1b0 }
      .c0 { stroke: #6ea8ff } .c1 { stroke: #3ddba8 }
      .c2 { stroke: #f5b041 } .c3 { stroke: #d98be8 }
    }
  </style>
)";

double X(double steps) {
  const double at = std::log(std::clamp(steps, kFirst, kLast) / kFirst) / std::log(kLast / kFirst);
  return kLeft + at * (kRight - kLeft);
}
double Y(double share) { return kBottom - share * (kBottom - kTop); }

class Plot {
 public:
  explicit Plot(const std::vector<StepsToLive>& systems) : systems_(systems) {}

  std::string Draw() {
    absl::StrAppendFormat(&out_,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
                          "width=\"%g\" height=\"%g\" role=\"img\">\n"
                          "  <title>Steps to a live state</title>\n",
                          kWidth, kHeight, kWidth, kHeight);
    absl::StrAppend(&out_, kStyle);
    absl::StrAppendFormat(
        &out_, "  <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%g\" height=\"%g\" rx=\"8\"/>\n",
        kWidth - 1, kHeight - 1);
    Text(24, 34, "title", "Steps to a live state, at a search depth of 15");
    Text(24, 56, "sub",
         absl::StrCat("curves: random executions of our four systems, ",
                      Count(systems_.front().steps.size()),
                      " each; rings: what the text of the MaceMC paper says of its own"));
    Axes();
    for (size_t i = 0; i < systems_.size(); ++i) Curve(i);
    for (size_t i = 0; i < systems_.size(); ++i) PaperMark(i);
    Ring(X(10'000), Y(1), "all");
    Legend();
    return out_ + "</svg>\n";
  }

 private:
  void Text(double x, double y, const char* style, const std::string& text,
            const char* anchor = "start") {
    absl::StrAppendFormat(
        &out_, "  <text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>\n", x, y,
        style, anchor, text);
  }
  void Line(double x1, double y1, double x2, double y2, const char* style) {
    absl::StrAppendFormat(
        &out_, "  <line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
        x2, y2, style);
  }
  void Ring(double x, double y, const std::string& style) {
    absl::StrAppendFormat(&out_, "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" class=\"mark %s\"/>\n",
                          x, y, style);
  }

  void Axes() {
    for (double decade = kFirst; decade < kLast; decade *= 10) {
      for (int digit = 2; digit < 10 && decade * digit <= kLast; ++digit) {
        Line(X(decade * digit), kTop, X(decade * digit), kBottom, "fine");
      }
      Line(X(decade), kTop, X(decade), kBottom, "grid");
      Text(X(decade), kBottom + 20, "sub", Count(static_cast<uint64_t>(decade)), "middle");
    }
    for (int percent = 0; percent <= 100; percent += 20) {
      Line(kLeft, Y(percent / 100.0), kRight, Y(percent / 100.0), "grid");
      Text(kLeft - 10, Y(percent / 100.0) + 4, "sub", absl::StrCat(percent, " %"), "end");
    }
    Line(kLeft, kBottom, kRight, kBottom, "axis");
    Line(kLeft, kTop, kLeft, kBottom, "axis");
    Line(X(50), kTop, X(50), kBottom, "depth");
    Text(X(50) + 6, kTop - 6, "sub", "50 steps");
    Text((kLeft + kRight) / 2, kBottom + 46, "", "steps from the start (logarithmic)", "middle");
    absl::StrAppendFormat(&out_,
                          "  <text transform=\"translate(22 %.1f) rotate(-90)\" "
                          "text-anchor=\"middle\">executions that are live by then</text>\n",
                          (kTop + kBottom) / 2);
  }

  // A step per value that occurs: thousands of executions have few.
  void Curve(size_t index) {
    const std::vector<uint64_t>& steps = systems_[index].steps;
    std::string points = absl::StrFormat("M%.1f %.1f", X(kFirst), Y(0));
    for (size_t i = 0; i < steps.size();) {
      const size_t next = static_cast<size_t>(
          std::upper_bound(steps.begin(), steps.end(), steps[i]) - steps.begin());
      absl::StrAppendFormat(&points, "H%.1fV%.1f", X(static_cast<double>(steps[i])),
                            Y(static_cast<double>(next) / static_cast<double>(steps.size())));
      i = next;
    }
    absl::StrAppendFormat(&points, "H%.1f", kRight);
    absl::StrAppendFormat(&out_, "  <path class=\"curve c%d\" d=\"%s\"/>\n", index, points);
  }

  // Those that are about nothing at all stand beside each other.
  void PaperMark(size_t index) {
    const double share = systems_[index].paper_at_50;
    size_t before = 0;
    for (size_t i = 0; i < index; ++i) {
      before += std::abs(systems_[i].paper_at_50 - share) < 0.02 ? 1 : 0;
    }
    Ring(X(50) + 12.0 * static_cast<double>(before), Y(share), absl::StrCat("c", index));
  }

  void Legend() {
    constexpr double kX = kRight + 28;
    double y = kTop + 14;
    Text(kX, y, "head", "ours: half, and all, live by");
    for (size_t i = 0; i < systems_.size(); ++i) {
      const std::vector<uint64_t>& steps = systems_[i].steps;
      y += 26;
      absl::StrAppendFormat(&out_, "  <path class=\"curve c%d\" d=\"M%.1f %.1fh22\"/>\n", i, kX,
                            y - 4);
      Text(kX + 30, y, "", systems_[i].system);
      y += 17;
      Text(kX + 30, y, "sub",
           absl::StrCat("step ", Count(steps[(steps.size() - 1) / 2]), ", and ",
                        Count(steps.back())));
    }
    y += 36;
    Text(kX, y, "head", "the paper, by step 50");
    for (size_t i = 0; i < systems_.size(); ++i) {
      y += 20;
      Ring(kX + 11, y - 4, absl::StrCat("c", i));
      Text(kX + 30, y, "",
           absl::StrFormat("%s: %s%.0f %%", systems_[i].name,
                           systems_[i].paper_below ? "below " : "", 100 * systems_[i].paper_at_50));
    }
    y += 20;
    Ring(kX + 11, y - 4, "all");
    Text(kX + 30, y, "", "all of each by step 10,000");
  }

  const std::vector<StepsToLive>& systems_;
  std::string out_;
};

}  // namespace

std::string PlotStepsToLive(const std::vector<StepsToLive>& systems) {
  constexpr size_t kSystemsMax = 4;  // As many colours.
  FORETELL_CHECK(!systems.empty() && systems.size() <= kSystemsMax);
  return Plot(systems).Draw();
}

}  // namespace foretell::bench
