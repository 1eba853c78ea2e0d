"""What is said about mail that left, rules, templates and privacy."""

from talk import DRAFTS, NOT_OBJECTS
from talk_drafts import MISSING, OLD
from transcript import CUSTOMERS, INVOICES, TEMPLATES, day

OVERRIDE = {"override": {"reason": "the manager knows"}}


def templates(talk):
    talk.title("Templates")
    talk("reader", "GET", TEMPLATES)
    talk.guarded("GET", TEMPLATES, may_not="mailer")
    text = {"template_name": "Mine", "template_type": "first_reminder",
            "subject_template": "Hi {{ customer_name }}", "body_template": "Pay {{ total_amount }}"}
    mine = {"template_id": "mine", **text}
    talk.guarded("POST", TEMPLATES, mine, may_not="drafter")
    talk("approver", "POST", TEMPLATES, mine, once="mine-1")
    talk("approver", "POST", TEMPLATES, mine, once="mine-1")
    talk("approver", "POST", TEMPLATES, {**mine, "template_id": "yours"}, once="mine-1")
    talk("approver", "POST", TEMPLATES, mine)
    wrong = [{name: value} for name in text for value in (None, 1)] + [
        {"template_type": "third"}, {"html_template": 1}, {"branding": 1},
        {"body_template": "{% if %}"}, {"subject_template": "{{ open"}, {"template_name": ""},
        {"html_template": "{% nothing %}"}]
    for change in (*wrong, {"template_id": None}, {"template_id": 1}, {"template_id": "a b"}):
        talk("approver", "POST", TEMPLATES, {**mine, "template_id": "other", **change})
    talk.each("approver", "POST", TEMPLATES, NOT_OBJECTS)

    path = f"{TEMPLATES}/mine/versions"
    talk.guarded("POST", path, text, may_not="drafter")
    html = {**text, "html_template": "<p>{{ customer_name }}</p>", "branding": "ours"}
    talk("approver", "POST", path, html, once="mine-2")
    talk("approver", "POST", path, html, once="mine-2")
    talk("approver", "POST", path, {**html, "activate": True}, once="mine-2")
    talk("approver", "POST", path, {**text, "activate": True})
    for change in (*wrong, {"activate": "yes"}, {"template_id": "mine"}):
        talk("approver", "POST", path, {**text, **change})
    talk.each("approver", "POST", path, NOT_OBJECTS)
    talk("approver", "POST", f"{TEMPLATES}/none/versions", text)

    path = f"{TEMPLATES}/mine/activate"
    talk.guarded("POST", path, {"version": 1}, may_not="drafter")
    talk.each("approver", "POST", path, NOT_OBJECTS)
    talk.each("approver", "POST", path, (
        {}, {"version": "1"}, {"version": 9}, {"version": 2}, {"version": 2}))
    talk("approver", "POST", f"{TEMPLATES}/none/activate", {"version": 1})
    talk("reader", "GET", f"{TEMPLATES}/mine")
    talk("reader", "GET", f"{TEMPLATES}/none")
    talk("reader", "GET", f"{TEMPLATES}/a%20b")
    talk.guarded("GET", f"{TEMPLATES}/mine", may_not="mailer")


def rendered_templates(talk):
    talk.title("Previews")
    talk.customer("ned", "70", "80.50")
    path = f"{TEMPLATES}/mine/render"
    talk.guarded("POST", path, {"customer_id": "ned"}, may_not="mailer")
    talk.each("reader", "POST", path, NOT_OBJECTS)
    talk.each("reader", "POST", path, (
        {"customer_id": "ned"}, {"customer_id": "ned", "version": 1},
        {"data": {"customer_name": "Eve", "total_amount": "1 USD"}}, {"version": 1, "data": {}},
        {}, {"customer_id": 1}, {"customer_id": "nobody"}, {"customer_id": "guy"},
        {"customer_id": "ned", "data": {}}, {"data": []}, {"version": "1", "customer_id": "ned"},
        {"version": 9, "customer_id": "ned"}, {"data": {"customer_name": "two\nlines"}}))
    talk("reader", "POST", f"{TEMPLATES}/none/render", {"data": {}})
    for built_in in ("reminder_first", "reminder_second", "reminder_final"):
        talk("reader", "POST", f"{TEMPLATES}/{built_in}/render", {"customer_id": "ned"})
    talk.note("a template that fails when it is used")
    talk("approver", "POST", TEMPLATES, {
        "template_id": "broken", "template_name": "Broken", "template_type": "first",
        "subject_template": "x",
        "body_template": "{% for i in (1..100000000) %}{{ i }}{% endfor %}"})
    talk("reader", "POST", f"{TEMPLATES}/broken/render", {"data": {}})
    talk("drafter", "POST", DRAFTS, {"customer_id": "ned", "template_id": "broken"})
    for other in ("reminder_second", "none"):
        talk("drafter", "POST", DRAFTS, {"customer_id": "ned", "template_id": other})
    talk.draft("drafter", "ned", template_id="mine")


def rules(talk):
    talk.title("Rules and overrides")
    talk.customer("oli", "100")
    check = "/v1/reminders/check?customer_id=oli"
    talk.sent("approver", "oli")
    talk("drafter", "POST", DRAFTS, {"customer_id": "oli", "reminder_type": "first"})
    talk("drafter", "POST", DRAFTS, {"customer_id": "oli", "reminder_type": "second"})
    talk("approver", "POST", DRAFTS, {"customer_id": "oli", "reminder_type": "second", **OVERRIDE})
    talk.sent("admin", "oli", reminder_type="second", **OVERRIDE)
    talk("reader", "GET", f"{check}&type=first")
    talk.sent("admin", "oli", reminder_type="final", **OVERRIDE)
    talk("reader", "GET", f"{check}&type=second")
    talk.sent("admin", "oli", reminder_type="final", **OVERRIDE)
    for kind in ("first", "second", "final"):
        talk("reader", "GET", f"{check}&type={kind}")
    talk("drafter", "POST", DRAFTS, {"customer_ids": ["oli"], "reminder_type": "final"})
    talk("reader", "GET", f"{CUSTOMERS}/oli")
    talk.pages("reader", "/v1/reminders/sent?customer_id=oli", 3)

    talk.customer("pam", "5", email="oli@example.com")
    talk("reader", "GET", "/v1/reminders/check?customer_id=pam")
    talk("drafter", "POST", DRAFTS, {"customer_id": "pam"})
    talk.customer("pia", "5", email="max@example.com")
    talk.customer("pip", "6", email="max@example.com")
    waiting, other = talk.draft("drafter", "pia"), talk.draft("drafter", "pip")
    talk("approver", "POST", waiting + "/approve", {"version": 1})
    talk.becomes(waiting, "sent")
    talk("approver", "POST", other + "/approve", {"version": 1})
    talk("approver", "POST", other + "/approve", {"version": 1, **OVERRIDE})
    talk("admin", "POST", other + "/approve", {"version": 1, "override": {"reason": ""}})
    talk.fresh_second()
    talk("admin", "POST", other + "/approve", {"version": 1, **OVERRIDE})
    talk.becomes(other, "sent")


def retries(talk):
    talk.title("Mail that fails, and is sent again")
    talk.customer("quy", "7", email="quy@fails.example.com")
    path = talk.draft("drafter", "quy")
    retry = path + "/retry"
    talk("approver", "POST", retry)
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk.becomes(path, "failed")
    talk("reader", "GET", path)
    talk("reader", "GET", f"{DRAFTS}?status=failed")
    talk.guarded("POST", retry, may_not="drafter")
    talk.each("approver", "POST", retry, NOT_OBJECTS[1:])
    talk.each("approver", "POST", retry, ({"override": "x"}, {"override": {}}))
    for missing in (*MISSING, OLD):
        talk("approver", "POST", missing + "/retry")
    talk("approver", "POST", retry)
    talk.becomes(path, "failed")
    talk("approver", "PATCH", f"{CUSTOMERS}/quy", {"opt_out": True})
    talk("approver", "POST", retry, {})
    talk("admin", "PATCH", f"{CUSTOMERS}/quy", {"opt_out": False})
    talk("approver", "POST", f"{INVOICES}/quy-1/payments", {"amount": 1})
    talk("approver", "POST", retry)
    talk("approver", "PATCH", f"{CUSTOMERS}/quy", {"email": "quy@example.com"})
    talk("approver", "POST", retry)


def held_and_bounced(talk):
    talk.title("Mail that may have arrived, and mail that comes back at once")
    talk.customer("ron", "8", email="ron@held.example.com")
    path = talk.draft("drafter", "ron")
    mail = talk("approver", "POST", path + "/approve", {"version": 1})["mail_id"]
    talk.mail_is("held", mail)
    talk("reader", "GET", path)
    talk("approver", "POST", path + "/retry", {"override": {"reason": "they have nothing"}})
    talk.mail_is("held", mail)
    talk("approver", "POST", path + "/cancel", {"reason": "enough"})
    talk.customer("rod", "8", email="bounce-550@example.com")
    path = talk.draft("drafter", "rod")
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk.becomes(path, "failed")
    talk("reader", "GET", path)
    talk("approver", "POST", path + "/retry")
    talk("reader", "GET", f"{CUSTOMERS}/rod")


def events(talk):
    talk.title("What is heard of mail that was sent")
    path = "/v1/reminders/events"
    talk.customer("sam", "9")
    draft = talk.draft("approver", "sam")
    name = draft.rpartition("/")[2]
    talk.guarded("POST", path, {"draft_id": name, "event": "delivered"}, may_not="drafter")
    talk("approver", "POST", path, {"draft_id": name, "event": "delivered"})
    talk("approver", "POST", draft + "/approve", {"version": 1})
    talk.becomes(draft, "sent")
    talk.each("approver", "POST", path, NOT_OBJECTS)
    talk.each("approver", "POST", path, (
        {"draft_id": name}, {"event": "delivered"}, {"draft_id": 1, "event": "delivered"},
        {"draft_id": name, "event": 1}, {"draft_id": name, "event": "lost"},
        {"draft_id": name, "event": "sent"}, {"draft_id": "none", "event": "delivered"},
        {"draft_id": OLD.rpartition("/")[2], "event": "delivered"},
        {"draft_id": name, "event": "delivered"}, {"draft_id": name, "event": "delivered"},
        {"draft_id": name, "event": "complained"}, {"draft_id": name, "event": "bounced"}))
    talk("reader", "GET", f"{CUSTOMERS}/sam")
    talk("reader", "GET", "/v1/reminders/check?customer_id=sam")
    talk.customer("tom", "9")
    draft = talk.sent("approver", "tom")
    talk("approver", "POST", path, {"draft_id": draft.rpartition("/")[2], "event": "bounced"})
    talk("reader", "GET", "/v1/reminders/check?customer_id=tom")


def records(talk):
    talk.title("What was sent, counted and noted")
    path = "/v1/reminders/sent"
    today = day()
    talk.pages("reader", path, 6)
    for query in (f"?from={today}&to={today}&customer_id=tom", "?customer_id=nobody",
                  "?customer_id=a%20b", "?from=2020-01-01&to=2020-01-02", "?from=yesterday",
                  "?to=x", "?from=2020-01-02&to=2020-01-01",
                  "?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z"):
        talk("reader", "GET", path + query)
    talk.bad_pages(path)
    talk.guarded("GET", path, may_not="mailer")

    path = "/v1/reminders/stats"
    for query in (f"?from={today}&to={today}", f"?from={day(-1)}", "?from=x", "?to=x",
                  "?from=2020-01-01&to=2020-01-02", "?from=2020-01-02&to=2020-01-01"):
        talk("reader", "GET", path + query)
    days = talk.quietly("GET", path)["days"]
    talk.note(f"without a time there are {len(days)} days, the last of them {days[-1]['date']}")
    talk.guarded("GET", path, may_not="mailer")

    path = "/v1/reminders/audit"
    talk.pages("reader", f"{path}?customer_id=fay", 4)
    page = talk("reader", "GET", f"{path}?limit=3")
    talk("reader", "GET", f"{path}?date={today}&limit=2&after={page['next']}")
    for query in ("?customer_id=quy", "?customer_id=pip", "?customer_id=ann", "?customer_id=nobody",
                  "?customer_id=a%20b", "?date=2020-01-01", "?date=yesterday",
                  "?date=2020-01-01T00:00:00Z", "?date=2020-02-31"):
        talk("reader", "GET", path + query)
    talk.bad_pages(path)
    talk.guarded("GET", path, may_not="mailer")


def privacy(talk):
    talk.title("Exports and erasures")
    for name in ("ann", "kim", "tom"):
        talk("admin", "GET", f"{CUSTOMERS}/{name}/export")
    talk("admin", "GET", f"{CUSTOMERS}/nobody/export")
    talk.guarded("GET", f"{CUSTOMERS}/kim/export", may_not="approver")
    talk.guarded("DELETE", f"{CUSTOMERS}/kim", may_not="approver")
    talk("admin", "DELETE", f"{CUSTOMERS}/kim")
    talk("admin", "DELETE", f"{CUSTOMERS}/kim")
    talk("admin", "GET", f"{CUSTOMERS}/kim/export")
    talk("reader", "GET", "/v1/reminders/audit?customer_id=kim")
    talk.note("what was erased keeps its opt-out")
    talk("admin", "DELETE", f"{CUSTOMERS}/sam")
    talk.customer("sue", "1", email="sam@example.com")
    talk("reader", "GET", "/v1/reminders/check?customer_id=sue")


def silences(talk):
    talk.title("Holds and promises")
    talk.customer("zoe", "100", "50")
    hold, promise = f"{INVOICES}/zoe-1/hold", f"{CUSTOMERS}/zoe/promise"
    wish = {"kind": "disputed", "reason": "it never came"}
    talk.guarded("POST", hold, wish, may_not="drafter")
    talk.guarded("DELETE", hold, may_not="drafter")
    talk("approver", "DELETE", hold)
    talk.each("approver", "POST", hold, NOT_OBJECTS)
    talk.each("approver", "POST", hold, (
        {"kind": "lost", "reason": "x"}, {"kind": "paused"}, {"kind": "paused", "reason": ""},
        {**wish, "until": "soon"}, {**wish, "until": day(-1)}, {**wish, "until": "2099-12-31"}))
    talk("approver", "POST", f"{INVOICES}/A-9/hold", wish)
    talk("approver", "POST", hold, wish)
    talk("reader", "GET", "/v1/reminders/check?customer_id=zoe")
    talk("approver", "POST", f"{INVOICES}/zoe-2/hold", {
        "kind": "paused", "reason": "they move", "until": day(5)})
    talk("reader", "GET", "/v1/reminders/check?customer_id=zoe")
    talk("drafter", "POST", DRAFTS, {"customer_id": "zoe"})
    talk("approver", "DELETE", hold)
    talk("approver", "DELETE", f"{INVOICES}/A-9/hold")

    talk.guarded("POST", promise, {"until": day(3)}, may_not="drafter")
    talk.guarded("DELETE", promise, may_not="drafter")
    talk("approver", "DELETE", promise)
    talk.each("approver", "POST", promise, NOT_OBJECTS)
    talk.each("approver", "POST", promise, (
        {"until": 3}, {"until": day(-1)}, {"until": "2099-12-31"}, {"until": day(3), "note": 1}))
    talk("approver", "POST", f"{CUSTOMERS}/nobody/promise", {"until": day(3)})
    talk("approver", "POST", f"{CUSTOMERS}/zoe/promise", {"until": day(3), "note": "on the phone"})
    talk("reader", "GET", "/v1/reminders/check?customer_id=zoe")
    talk("drafter", "POST", DRAFTS, {"customer_id": "zoe"})
    talk("approver", "DELETE", promise)
    talk("drafter", "POST", DRAFTS, {"customer_id": "zoe"})
    talk("reader", "GET", "/v1/reminders/audit?customer_id=zoe")


def places(talk):
    talk.title("Languages and time zones")
    path = f"{CUSTOMERS}/zoe"
    talk.each("approver", "PATCH", path, (
        {"language": "german"}, {"language": 1}, {"time_zone": "Mars/Crater"}, {"time_zone": 1}))
    talk("approver", "POST", CUSTOMERS, {
        "customer_id": "zac", "name": "Zac", "email": "zac@example.com", "language": "x",
        "time_zone": "../etc/passwd"})
    talk("approver", "PATCH", path, {"language": "PT-br", "time_zone": "America/Sao_Paulo"})
    talk("approver", "PATCH", path, {"language": "", "time_zone": ""})


def odd_requests(talk):
    talk.title("Paths and methods that are not there")
    talk("reader", "GET", "/v1/reminders")
    talk("reader", "GET", f"{CUSTOMERS}/ann/invoices")
    talk("admin", "DELETE", "/v1/reminders/due")
    talk("admin", "DELETE", DRAFTS)
    talk("admin", "DELETE", f"{TEMPLATES}/mine")


def four_eyes(talk):
    talk.title("Four eyes")
    talk.note("another server, with reminders.four_eyes = on")
    talk.customer("uli", "10")
    path = talk.draft("approver", "uli")
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk("admin", "PATCH", path, {"version": 1, "email_subject": "Hello"})
    talk("admin", "POST", path + "/approve", {"version": 2})
    talk("approver", "POST", path + "/reject", {"reason": "then not"})
    talk.customer("vic", "10", email="vic@fails.example.com")
    path = talk.draft("approver", "vic")
    talk("admin", "POST", path + "/approve", {"version": 1})
    talk.becomes(path, "failed")
    talk("approver", "POST", path + "/retry")
    talk("admin", "POST", path + "/retry")
    talk.becomes(path, "failed")


def no_sender(talk):
    talk.title("No sender")
    talk.note("another server, without reminders.from")
    talk.customer("wim", "10")
    path = talk.draft("drafter", "wim")
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk("reader", "GET", path)


def talk_of_others(talk):
    for part in (templates, rendered_templates, rules, retries, held_and_bounced, events, records,
                 privacy, silences, places, odd_requests):
        part(talk)
