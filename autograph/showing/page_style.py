"""How the page looks, light and dark, and the few lines of script that scroll."""

from __future__ import annotations

STYLE = """\
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --panel: #ffffff; --text: #1c2128; --quiet: #6b7480; --rule: #dfe3e8;
  --keyword: #9333a8; --string: #2b7a3d; --number: #b25000; --comment: #7b8490;
  --emitted: #3569b8; --hover: #fff2b8; --mark: #ffdf70; --badge: #e4edfa; --badge-text: #27548f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --panel: #1c2027; --text: #dfe3ea; --quiet: #8b95a3; --rule: #31373f;
    --keyword: #d79be6; --string: #8fce9b; --number: #f0ab72; --comment: #7f8a97;
    --emitted: #8db8f2; --hover: #3b3a22; --mark: #5a5018; --badge: #24344c; --badge-text: #a9cbf7;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
       font: 14px/1.45 system-ui, sans-serif; }
header { padding: 12px 20px 8px; }
h1 { font-size: 20px; margin: 0; }
h1 small, h2 small { color: var(--quiet); font-weight: normal; margin-left: 6px; }
header p { margin: 2px 0 6px; color: var(--quiet); overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 16px; color: var(--quiet); }
nav label { cursor: pointer; }
nav a { color: inherit; }
nav .clear { visibility: hidden; }
body:has(.line:target) .clear { visibility: visible; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px;
       padding: 8px 20px 20px; }
section { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px;
          display: flex; flex-direction: column; max-height: 82vh; }
h2 { font-size: 14px; margin: 0; padding: 8px 14px; border-bottom: 1px solid var(--rule); }
.text { overflow: auto; padding: 6px 0 10px;
        font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.text > * { width: max-content; min-width: 100%; }
.file { margin: 4px 0 2px; padding: 0 14px; color: var(--quiet); }
.line { white-space: pre; padding-right: 16px; }
.line code { font: inherit; }
.gutter { display: inline-block; width: 4.2em; padding-right: 1.6em; text-align: right;
          color: var(--quiet); user-select: none; }
.gutter a { color: inherit; text-decoration: none; }
.gutter a:hover { text-decoration: underline; }
summary { list-style: none; cursor: pointer; position: relative; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "\\25BE"; position: absolute; left: 2.85em; color: var(--quiet); }
details:not([open]) > summary::before { content: "\\25B8"; }
details:not([open]) > summary code::after { content: " \\2026"; color: var(--quiet); }
.badge { background: var(--badge); color: var(--badge-text); border-radius: 9px; padding: 0 8px;
         margin-left: 8px; font: 11px/1.6 system-ui, sans-serif; display: inline-block; }
.keyword { color: var(--keyword); }
.string { color: var(--string); }
.number { color: var(--number); }
.comment { color: var(--comment); }
.emitted { color: var(--emitted); }
:focus-visible { outline: 2px solid var(--emitted); }
body:has(#show-source:not(:checked)) #source, body:has(#show-graph:not(:checked)) #graph,
body:has(#show-converted:not(:checked)) #converted,
body:has(#show-program:not(:checked)) #program { display: none; }
@media (min-width: 901px) and (min-height: 560px) {
  body { height: 100vh; display: flex; flex-direction: column; overflow: hidden; }
  main { flex: 1; min-height: 0; grid-auto-rows: minmax(0, 1fr); }
  section { max-height: none; }
}
@media (min-width: 2200px) { main { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); padding: 8px; } }
@media print { body { height: auto; overflow: visible; } main { display: block; } }
"""

SCRIPT = """\
// Without this the page works, but a marked line is not scrolled to in the other panels.
function show(behavior) {
  const mark = location.hash.slice(1);
  if (!/^f[0-9]+-[0-9]+$/.test(mark)) return;
  for (const text of document.querySelectorAll(".text")) {
    const line = text.querySelector("." + mark);
    if (!line) continue;
    for (let at = line.parentElement; at && at !== text; at = at.parentElement)
      if (at.tagName === "DETAILS") at.open = true;
    const shift = line.getBoundingClientRect().top - text.getBoundingClientRect().top;
    text.scrollTo({ top: text.scrollTop + shift - text.clientHeight / 3, behavior });
  }
}
function choose(name) {
  const top = scrollY;
  location.hash = name;
  scrollTo(0, top);
}
addEventListener("hashchange", () => show("smooth"));
document.addEventListener("click", (event) => {
  const link = event.target.closest(".gutter a, .clear");
  if (link) {
    event.preventDefault();
    const name = link.getAttribute("href").slice(1);
    choose(location.hash.slice(1) === name ? "" : name);
    return;
  }
  const line = event.target.closest("#source .line");
  if (line && getSelection().isCollapsed)
    choose(location.hash.slice(1) === line.id ? "" : line.id);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(""); });
show("instant");
"""
