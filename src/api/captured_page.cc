#include "api/captured_routes.h"

namespace mailroom::api {

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
<title>Mailroom: captured mail</title>
<link rel="stylesheet" href="/captured.css">
<script src="/captured.js" defer></script>
</head>
<body>
<header>
<h1>Captured mail</h1>
<button id="reload" type="button">Look again</button>
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
<ul id="list"></ul>
<button id="more" type="button" hidden>More</button>
</nav>
<article id="mail" hidden>
<h2 id="subject"></h2>
<dl id="fields"></dl>
<iframe id="html" sandbox title="The mail as HTML" hidden></iframe>
<pre id="text"></pre>
</article>
</main>
</body>
</html>
)";

constexpr std::string_view styles = R"(body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
header, form, #problem { padding: 0.5rem 1rem; margin: 0; }
header { display: flex; gap: 1rem; align-items: baseline; border-bottom: 1px solid #888; }
h1 { font-size: 1.2rem; margin: 0 auto 0 0; }
#problem:empty { display: none; }
#problem { color: #a00; }
main { display: flex; flex-wrap: wrap; }
nav { flex: 1 1 20rem; max-width: 30rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li button { width: 100%; text-align: left; padding: 0.5rem 1rem; border: 0;
  border-bottom: 1px solid #ccc; background: none; font: inherit; cursor: pointer; }
nav li button[aria-current] { background: #def; }
nav small { display: block; color: #555; }
article { flex: 3 1 30rem; padding: 0 1rem; min-width: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 60vh; border: 1px solid #ccc; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
)";

constexpr std::string_view script = R"js("use strict";
const find = (id) => document.getElementById(id);
const storage_name = "mailroom-key";
let next = null;

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function ask(path) {
  const key = sessionStorage.getItem(storage_name);
  const answer = await fetch(path, { headers: { Authorization: "Bearer " + key } });
  const body = await answer.json();
  if (answer.ok) return body;
  if (answer.status === 401 || answer.status === 403) forget();
  throw new Error(body.error.message);
}

async function attempt(action) {
  find("problem").textContent = "";
  try {
    await action();
  } catch (error) {
    find("problem").textContent = error.message;
  }
}

function forget() {
  sessionStorage.removeItem(storage_name);
  find("list").replaceChildren();
  find("mail").hidden = true;
  find("more").hidden = true;
  find("ask").hidden = false;
  find("key").focus();
}

async function load(after) {
  const page = await ask("/v1/captured" + (after ? "?after=" + encodeURIComponent(after) : ""));
  if (!after) find("list").replaceChildren();
  for (const mail of page.items) {
    const button = element("button", mail.subject || "(no subject)");
    button.type = "button";
    button.append(element("small", mail.recipients.join(", ") + " · " + mail.at));
    button.addEventListener("click", () => attempt(() => show(mail.id, button)));
    const item = document.createElement("li");
    item.append(button);
    find("list").append(item);
  }
  next = page.next;
  find("more").hidden = !next;
  if (!find("list").firstChild) find("problem").textContent = "No mail was captured yet.";
}

async function show(id, button) {
  const mail = await ask("/v1/captured/" + encodeURIComponent(id));
  document.querySelector("[aria-current]")?.removeAttribute("aria-current");
  button.setAttribute("aria-current", "true");
  find("subject").textContent = mail.subject;
  const files = mail.attachments.map((file) => file.filename + " (" + file.bytes + " bytes)");
  const rows = { From: mail.from, To: mail.to, Cc: mail.cc, Files: files, Id: [mail.id] };
  find("fields").replaceChildren();
  for (const [name, values] of Object.entries(rows)) {
    if (!values.length) continue;
    find("fields").append(element("dt", name), element("dd", values.join(", ")));
  }
  find("html").hidden = mail.html === null;
  find("html").srcdoc = mail.html ?? "";
  find("text").textContent = mail.text;
  find("mail").hidden = false;
}

find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(storage_name, find("key").value.trim());
  find("key").value = "";
  find("ask").hidden = true;
  attempt(() => load(null));
});
find("reload").addEventListener("click", () => attempt(() => load(null)));
find("more").addEventListener("click", () => attempt(() => load(next)));
find("forget").addEventListener("click", forget);
if (sessionStorage.getItem(storage_name)) attempt(() => load(null));
else forget();
)js";

Response page_part(const char* content_type, std::string_view text) {
    Response response;
    response.content_type = content_type;
    response.headers = {{"Content-Security-Policy", content_policy},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Referrer-Policy", "no-referrer"},
                        {"Cache-Control", "no-cache"}};
    response.body = text;
    return response;
}

}  // namespace

void add_captured_page(Router& router) {
    const auto add = [&](const char* path, const char* content_type, std::string_view text) {
        router.add(
            "GET", path,
            [content_type, text](const RoutedRequest&) { return page_part(content_type, text); },
            Router::Run::in_place, small_body_bytes_max);
    };
    add("/", "text/html; charset=utf-8", page);
    add("/captured.css", "text/css; charset=utf-8", styles);
    add("/captured.js", "text/javascript; charset=utf-8", script);
}

}  // namespace mailroom::api
