#pragma once

namespace foretell::agent {

// Colours by class, twice: CSS variables would be shorter, but not every viewer knows them.
inline constexpr const char* kSvgStyle = R"(  <style>
    text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2933 }
    .card { fill: #ffffff; stroke: #d5dbe3 }
    .title { font-size: 16px; font-weight: bold }
    .sub, .aside, .number { fill: #66727f }
    .name { font-weight: bold; text-anchor: middle }
    .pill { fill: #eef2f7; stroke: #c3ccd7 }
    .lane { stroke: #c3ccd7; stroke-width: 2 }
    .down { stroke-dasharray: 2 6 }
    .row { fill: #f6f8fa }
    .arrow { fill: none; stroke: #2f6fde; stroke-width: 1.6 }
    .early { stroke-dasharray: 5 4 }
    .head { fill: #2f6fde }
    .mark { fill: #2f6fde; stroke: #ffffff; stroke-width: 2 }
    .act { fill: #0f9d76 }
    .fault { fill: #d97706 }
    .bad { fill: #d1242f }
    .label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
    .row-label { stroke: #f6f8fa }
    .change { fill: #8a5a00 }
    .alarm { fill: #fdecec; stroke: #d1242f }
    .alarm-text { fill: #a40e26; font-weight: bold }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .card { fill: #0f141a; stroke: #2d3640 }
      .sub, .aside, .number { fill: #93a1b0 }
      .pill { fill: #1b232d; stroke: #3a4653 }
      .lane { stroke: #3a4653 }
      .row { fill: #151b23 }
      .arrow { stroke: #6ea8ff }
      .head, .mark { fill: #6ea8ff }
      .mark { stroke: #0f141a }
      .act { fill: #3ddba8 }
      .fault { fill: #f5b041 }
      .bad { fill: #ff6b6b }
      .label { stroke: #0f141a }
      .row-label { stroke: #151b23 }
      .change { fill: #e3b341 }
      .alarm { fill: #2d1417; stroke: #ff6b6b }
      .alarm-text { fill: #ff9a9a }
    }
  </style>
)";

}  // namespace foretell::agent
