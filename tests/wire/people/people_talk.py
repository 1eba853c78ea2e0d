"""What is said with people's routes: every one, with good requests and bad ones."""

import time

from conversation import NOT_OBJECTS, TOO_LARGE, Conversation

PEOPLE, TOPICS, SEGMENTS = "/v1/people", "/v1/topics", "/v1/segments"
ANN = f"{PEOPLE}/ann@example.org"
NOBODY = f"{PEOPLE}/nobody@example.org"
IMPORT = f"{PEOPLE}/import"
FILE_BYTES_MAX = 128 * 1024 * 1024


class PeopleTalk(Conversation):
    scopes = {"mailer": ["send"], "reader": ["people:read"], "writer": ["people:write"],
              "admin": ["admin"]}

    def wants(self, method, path, body=None):
        """Whom a route does not let in: those who may only read, or only write, or only send."""
        self.guarded(method, path, body, "mailer" if method == "GET" else "reader")

    def counts(self, path, body):
        """The same of a question that comes with a body."""
        self.guarded("POST", path, body, "mailer")
        self("reader", "POST", path, TOO_LARGE)

    def is_here_once(self, who, method, path, body, other):
        """The same again is answered as before; another under the same key is refused."""
        for said in (body, body, other):
            self(who, method, path, said, once=f"once-{path}")

    def page_of(self, method, path, body=None, headers=None):
        """Whoever follows a link has no key: the page, or what a form answers."""
        shown = body
        time.sleep(0.002)
        answer = self.ask(method, path, body.encode() if body else None, None, headers)
        self.transcript.add("anybody", method, path, shown, headers or {}, answer)

    def is_done(self, identifier):
        self.note("and after a while it is done")
        self.case.eventually(lambda: self.quietly("GET", f"{IMPORT}/{identifier}"),
                             lambda shown: shown["state"] == "done")


def profiles(talk):
    talk.title("A person")
    new = {"firstName": "Ann", "attributes": {"plan": "pro", "score": 1.5, "langs": ["en", "af"],
                                              "home": {"city": "Paarl"}},
           "tags": ["vip", "beta"], "time_zone": "Europe/Berlin", "language": "de",
           "source": "form", "evidence": {"source": "form", "ip": "192.0.2.1", "form": "/signup",
                                          "wording": "Send me news"}}
    talk.wants("PUT", ANN, new)
    talk("writer", "PUT", f"{PEOPLE}/Ann@Example.org", new)
    talk("writer", "PUT", ANN, {"attributes": {"plan": "free"}, "tags": [], "source": "import"})
    talk("writer", "PUT", ANN, {})
    talk.each("writer", "PUT", ANN, (
        *NOT_OBJECTS, TOO_LARGE, {"firstName": 7, "tags": "vip"}, {"surname": "X", "size": 4},
        {"attributes": {"unsubscribed": False, "ttl": 1, "mailroomX": 1, "fine": 1}},
        {"tags": ["", "a\nb", "x" * 257]}, {"time_zone": "Mars", "language": "a language"},
        {"evidence": {"source": 7, "color": "red"}}, {"attributes": {"a": 1, "a#" * 200: 2}}))
    talk("writer", "PUT", f"{PEOPLE}/rubbish", {"tags": [""]})
    talk.wants("GET", ANN)
    talk("reader", "GET", f"{PEOPLE}/ANN%40example.org")
    talk("reader", "GET", NOBODY)
    talk("reader", "GET", f"{PEOPLE}/rubbish")
    talk.wants("PATCH", ANN, {"tags": []})
    talk("writer", "PATCH", ANN, {"attributes": {"score": None, "city": "Bonn"}, "tags": ["vip"],
                                  "tracking": False, "language": ""})
    talk("writer", "PATCH", ANN, {"attributes": {"city": "Bonn"}, "tags": ["vip"]})
    talk.each("writer", "PATCH", ANN, (
        *NOT_OBJECTS, TOO_LARGE, {}, {"firstName": 7, "tracking": "no"},
        {"attributes": {"email": "x", "PK": 1}}, {"unsubscribed": False}))
    talk("writer", "PATCH", NOBODY, {"tags": []})
    talk("writer", "PATCH", f"{PEOPLE}/rubbish", {"tags": []})


def tags(talk):
    talk.title("Tags of a person")
    path = f"{ANN}/tags"
    talk.wants("PUT", f"{path}/new")
    talk("writer", "PUT", f"{path}/a%20%23%2F")
    talk("writer", "PUT", f"{path}/a%20%23%2F")
    talk("writer", "PUT", f"{path}/a%0Ab")
    talk("writer", "PUT", f"{path}/{'x' * 257}")
    talk("writer", "PUT", f"{NOBODY}/tags/vip")
    talk("writer", "PUT", f"{PEOPLE}/rubbish/tags/a%0Ab")
    talk.wants("DELETE", f"{path}/vip")
    talk("writer", "DELETE", f"{path}/a%20%23%2F")
    talk("writer", "DELETE", f"{path}/a%20%23%2F")
    talk("writer", "DELETE", f"{path}/a%0Ab")
    talk("writer", "DELETE", f"{NOBODY}/tags/vip")


def wishes(talk):
    talk.title("No mail, and mail again")
    no, yes = f"{ANN}/unsubscribe", f"{ANN}/resubscribe"
    for path in (no, yes):
        talk.wants("POST", path, {})
    talk("writer", "POST", no, {"source": "form", "ip": "192.0.2.1", "form": "/account",
                                "wording": "No more", "reason": "too many"})
    talk("writer", "POST", no)
    talk("reader", "GET", ANN)
    talk("writer", "POST", f"{PEOPLE}/Unknown@Example.org/unsubscribe", {})
    talk("reader", "GET", f"{PEOPLE}/unknown@example.org")
    talk("writer", "POST", yes, {"source": "phone"})
    talk("writer", "POST", yes, {})
    talk("writer", "POST", f"{NOBODY}/resubscribe", {})
    talk("writer", "POST", f"{PEOPLE}/rubbish/unsubscribe", {})
    for path in (no, yes):
        talk.each("writer", "POST", path, (*NOT_OBJECTS, TOO_LARGE, {"source": 7, "ip": 7}))


def topics(talk):
    talk.title("Topics")
    talk.transcript.keeps("news", "offers", "inside", "short-lived", "pros", "others")
    path = f"{TOPICS}/news"
    new = {"name": "News", "description": "Once a month",
           "texts": [{"language": "de", "name": "Neues"}]}
    talk.wants("PUT", path, new)
    talk("writer", "PUT", path, new)
    talk("writer", "PUT", path, new)
    talk("writer", "PUT", f"{TOPICS}/offers", {"name": "Offers", "double_opt_in": True})
    talk("writer", "PUT", f"{TOPICS}/inside", {"name": "Inside", "hidden": True})
    talk.each("writer", "PUT", path, (
        *NOT_OBJECTS, TOO_LARGE, {}, {"name": ""}, {"name": 7, "hidden": "x"},
        {"name": "x", "description": "x" * 1001, "texts": [{"language": "zz zz", "name": ""}]},
        {"name": "x", "texts": [{"language": "de", "name": "a"}, {"language": "DE", "name": "b"}]}))
    talk("writer", "PUT", f"{TOPICS}/A%20b", new)
    talk.wants("GET", TOPICS)
    talk.pages("reader", TOPICS, 2)
    talk.bad_pages("reader", TOPICS)
    talk.wants("GET", path)
    talk("reader", "GET", path)
    talk("reader", "GET", f"{TOPICS}/none")
    talk("writer", "PUT", f"{TOPICS}/short-lived", {"name": "Short"})
    talk.wants("DELETE", f"{TOPICS}/short-lived")
    talk("writer", "DELETE", f"{TOPICS}/short-lived")
    talk("writer", "DELETE", f"{TOPICS}/short-lived")


def consent(talk):
    talk.title("What a person wants")
    talk.wants("GET", f"{ANN}/preferences")
    talk("reader", "GET", f"{ANN}/preferences")
    talk("reader", "GET", f"{NOBODY}/preferences")
    talk("reader", "GET", f"{PEOPLE}/rubbish/preferences")
    path = f"{ANN}/topics/news"
    talk.wants("PUT", path, {"state": "in"})
    talk.is_here_once("writer", "PUT", path, {"state": "in", "source": "phone"}, {"state": "out"})
    talk("writer", "PUT", path, {"state": "out", "wording": "No news"})
    talk.each("writer", "PUT", path, (*NOT_OBJECTS, TOO_LARGE, {}, {"state": "pending"},
                                      {"state": "maybe", "ip": 7}))
    talk("writer", "PUT", f"{ANN}/topics/none", {"state": "in"})
    talk("writer", "PUT", f"{PEOPLE}/rubbish/topics/news", {"state": "in"})
    talk.wants("DELETE", path)
    talk("writer", "DELETE", path)
    talk("writer", "DELETE", path)
    talk("writer", "DELETE", f"{ANN}/topics/none")
    talk("writer", "DELETE", f"{PEOPLE}/rubbish/topics/news")
    opting_in(talk)
    talk.wants("GET", f"{ANN}/consent")
    talk.pages("reader", f"{ANN}/consent", 4)
    talk.bad_pages("reader", f"{ANN}/consent")
    talk("reader", "GET", f"{NOBODY}/consent")
    talk("reader", "GET", f"{PEOPLE}/rubbish/consent")


def opting_in(talk):
    talk.title("Double opt-in")
    path = f"{PEOPLE}/bea@example.org/opt-in"
    talk.wants("POST", path, {})
    asked = {"topics": ["news", "offers"], "firstName": "Bea", "language": "fr", "ip": "192.0.2.2"}
    talk("writer", "POST", path, asked, once="opt-in")
    talk("writer", "POST", path, asked, once="opt-in")
    talk("writer", "POST", path, {}, once="opt-in")
    made = talk("writer", "POST", path, asked)
    talk("reader", "GET", f"{PEOPLE}/bea@example.org")
    talk.each("writer", "POST", path, (*NOT_OBJECTS, TOO_LARGE, {"topics": ["none", "news", "no"]},
                                       {"topics": "news", "double_opt_in": 7}))
    talk("writer", "POST", f"{PEOPLE}/rubbish/opt-in", {})
    for _ in range(4):
        talk("writer", "POST", path, asked)
    talk("writer", "POST", f"{PEOPLE}/cid@example.org/opt-in", {"double_opt_in": True})
    talk("writer", "POST", f"{PEOPLE}/dan@example.org/opt-in", {})
    link = f"/confirm/{made['confirm_token']}"
    talk.page_of("GET", link)
    talk.page_of("POST", link, "confirm=1")
    talk.page_of("POST", link, "confirm=1", {"Accept-Language": "de"})
    talk.page_of("GET", link)
    talk.page_of("GET", "/confirm/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    talk.page_of("POST", "/confirm/short")
    talk("reader", "GET", f"{PEOPLE}/bea@example.org/consent")


def lists(talk):
    talk.title("Lists of people")
    talk.wants("GET", PEOPLE)
    talk.pages("reader", PEOPLE, 3)
    talk.bad_pages("reader", PEOPLE)
    for query in ("tag=vip", "state=unsubscribed", "state=subscribed&q=b", "q=Ann", "order=newest",
                  "filter=plan%20%3D%20%22free%22", "filter=plan%20%3D", "state=x&order=y",
                  "segment=none", f"q={'x' * 255}", "colour=red&tag=vip"):
        talk("reader", "GET", f"{PEOPLE}?{query}")


def segments(talk):
    talk.title("Segments")
    path = f"{SEGMENTS}/pros"
    new = {"name": "Pros", "about": "Who pays", "filter": 'plan = "free" and tag = "vip"'}
    talk.wants("PUT", path, new)
    talk("writer", "PUT", path, new)
    talk("writer", "PUT", path, {**new, "name": "Pro"})
    talk("writer", "PUT", f"{SEGMENTS}/others", {"name": "Others",
                                                 "rules": {"not": {"segment": "pros"}}})
    talk.each("writer", "PUT", path, (
        *NOT_OBJECTS, TOO_LARGE, {}, {"name": 7, "filter": 7}, {"filter": "plan ="},
        {"name": "", "filter": "plan = "}, {"name": "x", "filter": "all", "rules": {"tag": "x"}},
        {"name": "x", "rules": {"tagg": "x"}}, {"name": "x", "filter": "segment = none"},
        {"name": "x", "filter": "segment = others"}))
    talk("writer", "PUT", f"{SEGMENTS}/A%20b", {"name": "x", "filter": "all"})
    talk.wants("GET", SEGMENTS)
    talk.pages("reader", SEGMENTS, 1)
    talk.bad_pages("reader", SEGMENTS)
    talk.wants("GET", path)
    talk("reader", "GET", path)
    talk("reader", "GET", f"{SEGMENTS}/none")
    talk("reader", "GET", f"{PEOPLE}?segment=pros")
    for name in ("count", "preview"):
        asking = f"{SEGMENTS}/{name}"
        talk.counts(asking, {"filter": "all"})
        talk.each("reader", "POST", asking, (
            {"filter": "all"}, {"rules": {"segment": "others"}}, *NOT_OBJECTS, {},
            {"filter": "plan ="}, {"filter": 7, "rules": 7}, {"filter": "segment = none"}))
    talk.each("reader", "POST", f"{SEGMENTS}/preview", (
        {"filter": "all", "limit": 1}, {"filter": "x =", "limit": 0}))
    talk.wants("DELETE", path)
    talk("writer", "DELETE", path)
    talk("writer", "DELETE", f"{SEGMENTS}/others")
    talk("writer", "DELETE", path)
    talk("writer", "DELETE", path)


def imports(talk):
    talk.title("People from files")
    file = ("email;firstName;plan;score;tags\nEve@Example.org;Eve;pro;1,5;new\n"
            "ann@example.org;;gold;2;\nnot an address;X;x;1;\n")
    good = file.rpartition("not an")[0]
    kind = {"kind": "text/csv"}
    talk.guarded("POST", IMPORT, file, "reader")
    talk("writer", "POST", f"{IMPORT}?dry_run=true", file, **kind)
    talk("writer", "POST", f"{IMPORT}?dry_run=true&mistakes_after=4", file, **kind)
    talk("writer", "POST", IMPORT, file, **kind)
    talk("writer", "POST", f"{IMPORT}?form=/old&wording=Yes&text=score", good, once="file", **kind)
    made = talk("writer", "POST", f"{IMPORT}?form=/old&wording=Yes&text=score", good, once="file",
                **kind)
    talk("writer", "POST", IMPORT, good, once="file", **kind)
    talk.is_done(made["id"])
    talk("reader", "GET", f"{IMPORT}/{made['id']}")
    talk("reader", "GET", f"{IMPORT}/{made['id']}/mistakes")
    skipped = talk("writer", "POST", f"{IMPORT}?on_mistakes=skip", file, **kind)["id"]
    talk.is_done(skipped)
    for path in (f"{IMPORT}/{skipped}", f"{IMPORT}/{skipped}/mistakes"):
        talk.wants("GET", path)
        talk("reader", "GET", path)
    talk.pages("reader", f"{IMPORT}/{skipped}/mistakes", 1)
    talk.bad_pages("reader", f"{IMPORT}/{skipped}/mistakes")
    talk("reader", "GET", f"{IMPORT}/none")
    talk("reader", "GET", f"{IMPORT}/none/mistakes")
    talk.each("writer", "POST", IMPORT, ("", "name\nx\n", '{"email": 7, "tags": "x"}\n',
                                         "email,email\na@example.org,b\n", "email\n\"a"))
    talk("writer", "POST", f"{IMPORT}?dry_run=perhaps&on_mistakes=cry&mistakes_after=x", good)
    talk.too_large(IMPORT, FILE_BYTES_MAX, "writer")
    talk("reader", "GET", f"{PEOPLE}/eve@example.org")
    talk("reader", "GET", f"{PEOPLE}/eve@example.org/consent")


def exports(talk):
    talk.title("Exports")
    talk.wants("GET", f"{PEOPLE}/export")
    for query in ("", "?format=csv", "?format=xml", "?format=csv&size=4"):
        talk("reader", "GET", f"{PEOPLE}/export{query}")
    talk.wants("GET", f"{ANN}/export")
    talk("reader", "GET", f"{PEOPLE}/eve@example.org/export")
    talk("reader", "GET", f"{NOBODY}/export")
    talk("reader", "GET", f"{PEOPLE}/rubbish/export")


def moves(talk):
    talk.title("Another address, two who are one, and none any more")
    path = f"{PEOPLE}/eve@example.org/change-address"
    talk.wants("POST", path, {"to": "eve@example.com"})
    talk.each("writer", "POST", path, (*NOT_OBJECTS, TOO_LARGE, {}, {"to": 7, "from": "x"},
                                       {"to": "rubbish"}, {"to": "ann@example.org"}))
    talk("writer", "POST", f"{NOBODY}/change-address", {"to": "eve@example.com"})
    talk.is_here_once("writer", "POST", path, {"to": "Eve@example.com"}, {"to": "x@example.com"})
    talk("reader", "GET", f"{PEOPLE}/eve@example.org")
    path = f"{ANN}/merge"
    talk.wants("POST", path, {"other": "eve@example.com"})
    talk.each("writer", "POST", path, (*NOT_OBJECTS, TOO_LARGE, {}, {"other": 7, "x": 7},
                                       {"other": "rubbish"}, {"other": "Ann@example.org"},
                                       {"other": "nobody@example.org"}))
    talk("writer", "POST", f"{NOBODY}/merge", {"other": "eve@example.com"})
    talk.is_here_once("writer", "POST", path, {"other": "eve@example.com"},
                      {"other": "bea@example.org"})
    talk("reader", "GET", f"{PEOPLE}/eve@example.com")
    talk.wants("DELETE", ANN)
    talk("writer", "DELETE", f"{PEOPLE}/rubbish")
    talk("writer", "DELETE", ANN)
    talk("writer", "DELETE", ANN)
    talk("reader", "GET", ANN)
    talk("writer", "PUT", ANN, {})


def whole_conversation(talk):
    for part in (profiles, tags, wishes, topics, consent, lists, segments, imports, exports, moves):
        part(talk)
