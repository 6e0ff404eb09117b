#pragma once

namespace foretell::agent {

// The classes are other ones than those of the pictures, which stand in the same page.
inline constexpr const char* kHtmlStyle = R"(<style>
:root { color-scheme: light dark; --ink: #1f2933; --dim: #5b6672; --paper: #f6f8fa;
  --sheet: #ffffff; --edge: #d5dbe3; --red: #b3202c; --green: #0b7a5b; --amber: #8a5a00 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --dim: #93a1b0; --paper: #0b0f14; --sheet: #0f141a; --edge: #2d3640;
    --red: #ff7b7b; --green: #3ddba8; --amber: #f5b041 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.35rem; margin: 0 0 .25rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .25rem 0 }
table { border-collapse: collapse; width: 100%; background: var(--sheet) }
th, td { border: 1px solid var(--edge); padding: .35rem .6rem; text-align: left;
  vertical-align: top }
th { color: var(--dim); font-weight: 600 }
th, .steps td:nth-child(-n+2) { white-space: nowrap }
pre, code, .steps td { font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { background: var(--sheet); border: 1px solid var(--edge); padding: .6rem; margin: .25rem 0;
  white-space: pre-wrap }
.holds { color: var(--green); font-weight: 600 }
.broken { color: var(--red); font-weight: 600 }
.undecided { color: var(--amber); font-weight: 600 }
.small { color: var(--dim); font-size: .9rem }
.wide { overflow-x: auto; margin: .75rem 0 }
@media (max-width: 40rem) {
  table { background: none }
  thead { display: none }
  tr { display: block; background: var(--sheet); border: 1px solid var(--edge);
    margin-bottom: .5rem }
  td { display: block; border: 0; padding: .15rem .6rem }
  .steps td:nth-child(-n+2) { display: inline-block; padding-right: 0 }
  td:empty { display: none }
}
@media print { body { background: none; max-width: none } .wide { overflow: visible } }
</style>
)";

}  // namespace foretell::agent
