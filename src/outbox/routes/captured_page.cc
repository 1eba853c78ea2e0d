#include "outbox/routes/routes.h"
#include "program/page.h"

namespace mailroom::outbox {

namespace {

// The frame that shows a mail inherits this policy: images of the mail itself and its own styles,
// and nothing from elsewhere.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr std::string_view page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Captured mail · Mailroom</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/captured.css">
<script src="/captured.js" defer></script>
</head>
<body>
<header>
<h1>Captured mail</h1>
<input id="words" type="search" placeholder="Search subjects and addresses" aria-label="Search">
<span id="live" role="status"></span>
<button id="forget" type="button">Forget the key</button>
</header>
<form id="ask" hidden>
<label for="key">API key with the scope read</label>
<input id="key" type="password" autocomplete="off" required>
<button>Show</button>
</form>
<p id="problem" role="alert"></p>
<main>
<nav aria-label="Mails">
<p id="empty" hidden></p>
<ul id="list"></ul>
<button id="more" type="button" hidden>More</button>
</nav>
<article id="mail" hidden>
<button id="back" type="button">All mails</button>
<h2 id="subject" tabindex="-1"></h2>
<dl id="fields"></dl>
<ul id="files" aria-label="Attachments"></ul>
<div id="views" role="group" aria-label="View">
<button type="button" data-view="html">HTML</button>
<button type="button" data-view="text">Text</button>
<button type="button" data-view="source">Source</button>
</div>
<iframe id="html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="The mail as HTML">
</iframe>
<pre id="text" tabindex="0"></pre>
<pre id="source" tabindex="0"></pre>
</article>
</main>
</body>
</html>
)";

constexpr std::string_view styles = R"(:root { color-scheme: light dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; height: 100vh; height: 100dvh;
  display: flex; flex-direction: column; }
button, input { font: inherit; }
header, form, #problem, #empty { padding: 0.5rem 1rem; margin: 0; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center;
  border-bottom: 1px solid #8888; }
h1 { font-size: 1.2rem; margin: 0; }
#words { flex: 1 1 12rem; max-width: 30rem; }
#live { margin-left: auto; font-size: 0.85rem; opacity: 0.75; }
#problem { color: #c22; }
#problem:empty { display: none; }
main { flex: 1; display: flex; min-height: 0; }
nav { flex: 0 0 24rem; overflow-y: auto; border-right: 1px solid #8888; }
nav ul, #files { list-style: none; margin: 0; padding: 0; }
nav li button { width: 100%; text-align: left; padding: 0.5rem 1rem; border: 0;
  border-bottom: 1px solid #8884; background: none; color: inherit; cursor: pointer;
  overflow-wrap: anywhere; }
nav li button[aria-current] { background: #48f3; }
nav li.new button { font-weight: 600; }
nav small { display: block; opacity: 0.75; font-weight: normal; }
#more { margin: 0.5rem 1rem; }
article { flex: 1; padding: 0.5rem 1rem; min-width: 0; overflow-y: auto; display: flex;
  flex-direction: column; }
h2 { margin: 0.25rem 0; overflow-wrap: anywhere; outline: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 0.25rem 0; }
dt { opacity: 0.75; }
dd { margin: 0; overflow-wrap: anywhere; }
#files { display: flex; flex-wrap: wrap; gap: 0.5rem; }
#views { margin: 0.5rem 0; }
#views button[aria-pressed=true] { font-weight: 600; text-decoration: underline; }
iframe { flex: 1; min-height: 50vh; width: 100%; border: 1px solid #8888; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
#back { display: none; align-self: start; }
@media (max-width: 50rem) {
  main { display: block; overflow-y: auto; }
  nav { border: 0; overflow: visible; }
  article { overflow: visible; min-height: 100%; }
  body.reading nav { display: none; }
  #back { display: inline-block; }
}
)";

constexpr std::string_view script = R"js("use strict";
const find = (id) => document.getElementById(id);
const storage_name = "mailroom-key";
const pause_ms = 2000;
const shown = new Map();  // The buttons of the list, by the mail's id.
let next = null;
let open_id = null;
let asking = 0;  // Counts searches, so that the answer to an old one is dropped.

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function fetched(path) {
  const key = sessionStorage.getItem(storage_name);
  const answer = await fetch(path, { headers: { Authorization: "Bearer " + key } });
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  if (answer.status === 401 || answer.status === 403) forget();
  throw new Error(body ? body.error.message : "The server answered " + answer.status + ".");
}

const ask = async (path) => (await fetched(path)).json();

async function attempt(action) {
  try {
    await action();
    find("problem").textContent = "";
  } catch (error) {
    const lost = error instanceof TypeError;  // What fetch() throws without a connection.
    find("problem").textContent = lost ? "The server cannot be reached." : error.message;
  }
}

function forget() {
  sessionStorage.removeItem(storage_name);
  clear();
  close_mail();
  find("live").textContent = "";
  find("ask").hidden = false;
  find("key").focus();
}

function clear() {
  shown.clear();
  find("list").replaceChildren();
  find("more").hidden = true;
  find("empty").hidden = true;
}

function list_address(after) {
  const query = new URLSearchParams();
  const words = find("words").value.trim();
  if (words) query.set("q", words);
  if (after) query.set("after", after);
  return "/v1/captured?" + query;
}

function entry_of(mail) {
  const button = element("button", mail.subject || "(no subject)");
  button.type = "button";
  const at = new Date(mail.at).toLocaleString();
  button.append(element("small", mail.recipients.join(", ") + " · " + at));
  button.addEventListener("click", () => { location.hash = encodeURIComponent(mail.id); });
  if (mail.id === open_id) button.setAttribute("aria-current", "true");
  shown.set(mail.id, button);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function tell_how_many() {
  find("empty").hidden = shown.size > 0;
  find("empty").textContent = find("words").value.trim()
    ? (next ? "Nothing so far: look at older ones with More." : "No mail has these words.")
    : "No mail was captured yet. What you send appears here by itself.";
}

async function load(after) {
  const search = ++asking;
  const page = await ask(list_address(after));
  if (search !== asking) return;
  if (!after) clear();
  find("list").append(...page.items.map(entry_of));
  next = page.next;
  find("more").hidden = !next;
  tell_how_many();
}

// What came since goes to the top; what is there stays where it is under the reader's eyes.
async function look_for_new() {
  const search = asking;
  const page = await ask(list_address(null));
  find("live").textContent = "live";
  if (search !== asking) return;
  const fresh = page.items.filter((mail) => !shown.has(mail.id)).map(entry_of);
  for (const item of fresh) item.className = "new";
  find("list").prepend(...fresh);
  if (fresh.length) tell_how_many();
}

async function stay_live() {
  if (!document.hidden && sessionStorage.getItem(storage_name)) {
    await attempt(look_for_new);
    if (find("problem").textContent) find("live").textContent = "";
  }
  setTimeout(stay_live, pause_ms);
}

async function save_file(id, number, file) {
  const path = "/v1/captured/" + encodeURIComponent(id) + "/attachments/" + number;
  const content = await (await fetched(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = file.filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function show_files(mail) {
  find("files").replaceChildren(...mail.attachments.map((file, index) => {
    const button = element("button", file.filename + " (" + file.bytes + " bytes)");
    button.type = "button";
    button.addEventListener("click", () => attempt(() => save_file(mail.id, index + 1, file)));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

function show_view(view) {
  for (const button of find("views").children) {
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
    find(button.dataset.view).hidden = button.dataset.view !== view;
  }
  if (view === "source") attempt(show_source);
}

async function show_source() {
  const id = open_id;
  const source = await (await fetched("/v1/emails/" + encodeURIComponent(id) + "/raw")).text();
  if (id === open_id) find("source").textContent = source;
}

function show_fields(mail) {
  const rows = { From: mail.from, To: mail.to, Cc: mail.cc, "Reply to": mail.reply_to,
                 Id: [mail.id] };
  find("fields").replaceChildren();
  for (const [name, values] of Object.entries(rows)) {
    if (!values.length) continue;
    find("fields").append(element("dt", name), element("dd", values.join(", ")));
  }
}

async function show(id) {
  const mail = await ask("/v1/captured/" + encodeURIComponent(id));
  document.querySelector("[aria-current]")?.removeAttribute("aria-current");
  shown.get(id)?.setAttribute("aria-current", "true");
  shown.get(id)?.parentElement.removeAttribute("class");
  open_id = id;
  find("subject").textContent = mail.subject || "(no subject)";
  show_fields(mail);
  show_files(mail);
  // Links open beside this page, which the mail's frame cannot reach.
  find("html").srcdoc = mail.html === null ? "" : '<base target="_blank">' + mail.html;
  find("text").textContent = mail.text;
  find("source").textContent = "";
  find("views").querySelector("[data-view=html]").disabled = mail.html === null;
  find("mail").hidden = false;
  document.body.classList.add("reading");
  show_view(mail.html === null ? "text" : "html");
  find("subject").focus({ preventScroll: true });
}

function close_mail() {
  open_id = null;
  find("mail").hidden = true;
  document.body.classList.remove("reading");
  document.querySelector("[aria-current]")?.removeAttribute("aria-current");
}

function follow_address() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!sessionStorage.getItem(storage_name)) return;
  if (!id) close_mail();
  else attempt(() => show(id));
}

function begin() {
  attempt(() => load(null)).then(follow_address);
}

let typing = 0;
find("words").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => attempt(() => load(null)), 200);
});
find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(storage_name, find("key").value.trim());
  find("key").value = "";
  find("ask").hidden = true;
  begin();
});
find("more").addEventListener("click", () => attempt(() => load(next)));
find("back").addEventListener("click", () => { location.hash = ""; });
find("forget").addEventListener("click", forget);
find("views").addEventListener("click", (event) => {
  if (event.target.dataset.view) show_view(event.target.dataset.view);
});
window.addEventListener("hashchange", follow_address);
if (sessionStorage.getItem(storage_name)) begin();
else forget();
setTimeout(stay_live, pause_ms);
)js";

}  // namespace

void add_captured_page(program::Api& api) {
    program::add_page_part(api, {"/", "captured_page", "text/html; charset=utf-8", page},
                           "The page that shows captured mails; it asks for a key", content_policy);
    program::add_page_part(
        api, {"/captured.css", "captured_page_styles", "text/css; charset=utf-8", styles},
        "Its styles", content_policy);
    program::add_page_part(
        api, {"/captured.js", "captured_page_script", "text/javascript; charset=utf-8", script},
        "Its script", content_policy);
}

}  // namespace mailroom::outbox
