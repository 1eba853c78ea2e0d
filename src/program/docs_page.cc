#include "program/docs_page.h"

namespace mailroom::program {

const std::string_view docs_html = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Mailroom</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/v1/docs.css">
<script src="/v1/docs.js" defer></script>
</head>
<body>
<header>
<h1>Mailroom API</h1>
<input id="words" type="search" placeholder="Search routes and members" aria-label="Search">
<span id="found" role="status"></span>
<a href="/v1/openapi.json">openapi.json</a>
</header>
<nav id="groups" aria-label="Groups"></nav>
<main id="routes">
<noscript>This page needs its script; the same is in <a href="/v1/openapi.json">openapi.json</a>.
</noscript>
</main>
</body>
</html>
)";

const std::string_view docs_css = R"(:root {
  color-scheme: light dark;
  --ink: #1c2430; --soft: #5b6675; --paper: #fff; --shade: #f3f5f8; --line: #dbe0e7;
  --link: #0b57a4; --get: #1a6b3c; --post: #0b57a4; --put: #8a5a00; --delete: #a32222;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ee; --soft: #9aa6b5; --paper: #14181e; --shade: #1d232b; --line: #323b47;
    --link: #7db7f0; --get: #6fce97; --post: #7db7f0; --put: #e2b45c; --delete: #f08a8a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0; display: grid; grid-template: auto 1fr / 14rem minmax(0, 1fr);
  grid-template-areas: "head head" "groups routes";
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
header {
  grid-area: head; position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap;
  gap: .5rem 1rem; align-items: center; padding: .75rem 1.25rem;
  background: var(--paper); border-bottom: 1px solid var(--line);
}
h1 { margin: 0; font-size: 1.15rem; }
header input {
  flex: 1 1 14rem; max-width: 32rem; padding: .45rem .7rem; font: inherit; color: inherit;
  background: var(--shade); border: 1px solid var(--line); border-radius: .4rem;
}
#found { color: var(--soft); font-size: .875rem; }
a { color: var(--link); }
nav {
  grid-area: groups; position: sticky; top: 3.75rem; align-self: start; padding: 1.25rem;
  max-height: calc(100vh - 3.75rem); overflow: auto;
}
nav a { display: block; padding: .2rem 0; text-decoration: none; }
main { grid-area: routes; padding: 0 1.25rem 4rem; max-width: 60rem; }
h2 { margin: 2rem 0 .25rem; font-size: 1.25rem; }
.about { margin: 0 0 .75rem; color: var(--soft); }
.route { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
.route[open] { margin: 1rem 0; }
.route > summary {
  display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 .75rem;
  padding: .6rem .9rem; cursor: pointer; list-style: none;
}
.route > summary::-webkit-details-marker { display: none; }
.route[open] > summary { background: var(--shade); border-radius: .5rem .5rem 0 0; }
.method { font-weight: 700; font-size: .8125rem; line-height: 1.5rem; }
.GET { color: var(--get); } .POST { color: var(--post); }
.PUT, .PATCH { color: var(--put); } .DELETE { color: var(--delete); }
code, .path { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875rem; }
.path { overflow-wrap: anywhere; line-height: 1.5rem; }
.told { grid-column: 2; color: var(--soft); font-size: .9375rem; }
.inside { padding: .25rem .9rem 1rem; }
h3 { margin: 1.1rem 0 .3rem; font-size: .9375rem; }
.scope { display: inline-block; margin: .5rem .5rem 0 0; padding: .05rem .55rem;
  font-size: .8125rem;
  background: var(--shade); border: 1px solid var(--line); border-radius: 1rem; }
.members { margin: 0; padding: 0; list-style: none; }
.members .members { margin-left: .3rem; padding-left: .9rem; border-left: 2px solid var(--line); }
.members li { padding: .15rem 0; overflow-wrap: anywhere; }
.kind { color: var(--soft); font-size: .875rem; }
.must { color: var(--delete); font-size: .8125rem; }
.members summary { cursor: pointer; }
.fails { color: var(--soft); font-size: .9375rem; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 50rem) {
  body { display: block; }
  header { position: static; }
  nav { position: static; max-height: none; display: flex; gap: 0 1rem; flex-wrap: wrap;
    padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
  main { padding: 0 .75rem 3rem; }
  .route > summary { grid-template-columns: minmax(0, 1fr); padding: .6rem .7rem; }
  .told { grid-column: 1; }
}
)";

}  // namespace mailroom::program
