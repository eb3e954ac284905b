"""The page's style sheet: inline, no outside resource, light and dark as the reader prefers."""

CSS = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --card: #f6f7f9; --ink: #1b1f24; --muted: #5b6470; --rule: #dde1e6; --link: #0b57d0;
  --correct: #116c3a; --problem: #b02020;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1d2126; --ink: #e8eaed; --muted: #a2abb6; --rule: #343a42; --link: #8ab4f8;
    --correct: #7bd3a0; --problem: #ff9c94;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main, header { max-width: 1160px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 12px; }
h2 { font-size: 1.4rem; margin: 0; }
h3 { font-size: 1rem; margin: 24px 0 8px; }
p { max-width: 72ch; margin: 0 0 16px; }
a { color: var(--link); }
.muted { color: var(--muted); }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0; }
.numbers div { background: var(--card); border-radius: 8px; padding: 12px 16px; }
.numbers dt { color: var(--muted); font-size: .85rem; }
.numbers dd { margin: 2px 0 0; font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 24px; padding: 0; }
nav a { padding: 4px 12px; border: 1px solid var(--rule); border-radius: 999px; text-decoration: none; }
section { border-top: 1px solid var(--rule); padding: 28px 0 36px; }
.title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin-bottom: 16px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 20px; }
.four { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
@media (max-width: 520px) { .four { grid-template-columns: 1fr; } }
figure { margin: 0; min-width: 0; }
figcaption { color: var(--muted); font-size: .9rem; margin-top: 4px; }
video, img { display: block; width: 100%; height: auto; border-radius: 6px; }
video { background: #16191e; }
img { background: #ffffff; border: 1px solid var(--rule); }
table { border-collapse: collapse; width: 100%; max-width: 560px; margin: 0 0 20px; }
th, td { text-align: left; padding: 7px 10px 7px 0; border-bottom: 1px solid var(--rule); }
th { color: var(--muted); font-weight: 400; font-size: .85rem; }
.number { display: inline-block; min-width: 1.7em; border-radius: 5px; text-align: center; font-weight: 700; }
.strong { font-weight: 700; }
.questions { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; }
.questions > li { background: var(--card); border-radius: 8px; padding: 14px 16px; min-width: 0; }
.questions p { margin: 0; max-width: none; }
.asked { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 2px 16px; }
.asked .muted { font-size: .85rem; }
.problem { color: var(--problem); font-weight: 600; }
.choices { list-style: none; margin: 4px 0 0; padding: 0; }
.choices li { display: grid; grid-template-columns: auto 5.6em 1fr; gap: 10px; padding: 2px 0; }
.verdict { color: var(--muted); white-space: nowrap; }
.correct { color: var(--correct); font-weight: 700; }
.questions .shown { display: flex; flex-wrap: wrap; align-items: baseline; gap: 6px 8px; margin-top: 8px; }
.chip {
  border: 1px solid var(--rule); border-radius: 14px; padding: 2px 12px; background: var(--paper);
  font-size: .9rem; text-decoration: none;
}
.chip:hover, .chip:focus-visible { text-decoration: underline; }
details { margin-top: 8px; }
summary { color: var(--muted); font-size: .9rem; cursor: pointer; }
.questions details p { font-size: .9rem; margin-top: 8px; }
code { font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.trace { max-width: none; margin: 8px 0; font-size: .9rem; line-height: 1.5; }
.trace td { padding: 3px 14px 3px 0; vertical-align: top; }
.trace td:last-child { width: 100%; padding-right: 0; }
.trace div { padding-left: 1em; text-indent: -1em; }
.trace .of { color: var(--muted); white-space: nowrap; }
@media (min-width: 721px) { .trace td { white-space: nowrap; } .trace td:last-child { white-space: normal; } }
@media (max-width: 720px) {
  .trace, .trace tbody { display: block; }
  .trace tr { display: grid; grid-template-columns: 1.8em 1fr; padding: 4px 0; border-bottom: 1px solid var(--rule); }
  .trace td { border: 0; padding: 0; overflow-wrap: anywhere; }
  .trace td:last-child { grid-column: 2; }
}
footer { color: var(--muted); font-size: .9rem; border-top: 1px solid var(--rule); padding: 20px 0 40px; }
"""
