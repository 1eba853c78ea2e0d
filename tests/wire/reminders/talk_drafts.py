"""What is said about drafts, until they leave."""

import boto3

import server
from talk import DRAFTS, NOT_OBJECTS
from transcript import CUSTOMERS, INVOICES

OLD = f"{DRAFTS}/20200101_000000_ann"
MISSING = (f"{DRAFTS}/none", f"{DRAFTS}/29990101_000000_ann")


def due_and_check(talk):
    talk.title("Who is due")
    talk.customer("eve", "1500.25", "20")
    talk.customer("fay", "99.90")
    talk.customer("guy")
    path = "/v1/reminders/due"
    talk("reader", "GET", path)
    for allowed in ("true", "false", "", "perhaps"):
        talk("reader", "GET", f"{path}?allowed={allowed}")
    talk.pages("reader", path, 2)
    talk.bad_pages(path)
    talk.guarded("GET", path, may_not="mailer")
    path = "/v1/reminders/check"
    for query in ("?customer_id=eve", "?customer_id=eve&type=first", "?customer_id=eve&type=second",
                  "?customer_id=eve&type=FINAL_NOTICE", "?customer_id=guy", "?customer_id=dora",
                  "?customer_id=eve&type=third", "?customer_id=nobody", "?customer_id=", "",
                  "?type=first"):
        talk("reader", "GET", path + query)
    talk.guarded("GET", path + "?customer_id=eve", may_not="mailer")


def new_drafts(talk):
    talk.title("Drafts")
    talk.guarded("POST", DRAFTS, {"customer_id": "eve"})
    talk.fresh_second()
    talk("drafter", "POST", DRAFTS, {"customer_id": "eve"}, once="eve-1")
    talk("drafter", "POST", DRAFTS, {"customer_id": "eve"}, once="eve-1")
    talk("drafter", "POST", DRAFTS, {"customer_id": "fay"}, once="eve-1")
    talk("drafter", "POST", DRAFTS, {"customer_id": "eve"})
    talk("drafter", "POST", DRAFTS, {"customer_id": "eve", "reminder_type": "second"})
    talk.each("drafter", "POST", DRAFTS, NOT_OBJECTS)
    for wish in ({"customer_id": None}, {"customer_id": 1}, {"customer_id": "nobody"},
                 {"customer_id": "guy"}, {"customer_id": "dora"}, {"reminder_type": "third"},
                 {"reminder_type": 1}, {"writer": "ghost"}, {"writer": 1}, {"writer": "ai"},
                 {"template_id": 1}, {"template_id": "none"}, {"fallback": "yes"},
                 {"email_subject": "Hello"}, {"email_content": "Hello"},
                 {"email_subject": 1, "email_content": "x"},
                 {"email_subject": "two\nlines", "email_content": "x"},
                 {"email_subject": "Hello", "email_content": ""},
                 {"override": "x"}, {"override": {}}, {"override": {"reason": 1}},
                 {"reminder_type": "second", "override": {"reason": "they asked"}}):
        talk("drafter", "POST", DRAFTS, {"customer_id": "fay", **wish})
    talk("admin", "POST", DRAFTS, {"customer_id": "fay", "reminder_type": "second",
                                   "override": {"reason": ""}})
    talk.draft("drafter", "fay", writer="ai", fallback=True, template_id="reminder_first")
    talk.customer("hal", "10")
    talk.draft("drafter", "hal", email_subject="Dear [Your Name]",
               email_content="As an AI I want 77.00 USD, see https://evil.example/pay")


def many_drafts(talk):
    talk.title("Drafts for many")
    talk.customer("ida", "10")
    talk.customer("jan", "20")
    everybody = {"customer_ids": ["ida", "guy", "nobody", "jan", "ida"]}
    talk("drafter", "POST", DRAFTS, {**everybody, "dry_run": True})
    talk.fresh_second()
    talk("drafter", "POST", DRAFTS, {**everybody, "dry_run": False})
    for wish in ({"customer_ids": []}, {"customer_ids": "ida"}, {"customer_ids": [1]},
                 {"customer_ids": None}, {"dry_run": "yes"}, {"reminder_type": "third"},
                 {"email_subject": "x", "email_content": "x"}):
        talk("drafter", "POST", DRAFTS, {**everybody, **wish})
    for draft in talk.quietly("GET", f"{DRAFTS}?limit=1000")["items"]:
        if draft["customer_id"] in ("ida", "jan"):
            talk("drafter", "POST", f"{DRAFTS}/{draft['draft_id']}/cancel")


def listed_drafts(talk):
    talk.title("Lists of drafts")
    talk("reader", "GET", DRAFTS)
    talk.pages("reader", f"{DRAFTS}?status=draft&order=asc", 1)
    talk.pages("reader", f"{DRAFTS}?status=draft&order=desc", 2)
    for query in ("status=rejected", "status=late", "status=", "order=up", "order="):
        talk("reader", "GET", f"{DRAFTS}?{query}&limit=1")
    talk.bad_pages(DRAFTS)
    talk.guarded("GET", DRAFTS, may_not="mailer")


def edits(talk, path):
    talk.title("Edits")
    talk("reader", "GET", path)
    talk.guarded("GET", path, may_not="mailer")
    talk.guarded("PATCH", path, {"version": 1, "rebuild": True})
    talk.each("drafter", "PATCH", path, NOT_OBJECTS)
    talk.each("drafter", "PATCH", path, (
        {"email_subject": "Hello"}, {"version": "1", "rebuild": True}, {"version": 1.5},
        {"version": 1}, {"version": 1, "rebuild": False}, {"version": 1, "rebuild": "yes"},
        {"version": 1, "rebuild": True, "email_subject": "Hello"},
        {"version": 1, "email_subject": 7}, {"version": 1, "email_subject": ""},
        {"version": 1, "email_subject": "a\r\nBcc: b"}, {"version": 1, "email_content": ""},
        {"version": 1, "email_html": []}, {"version": 3, "rebuild": True},
        {"version": 1, "email_subject": "Hello", "email_content": "Dear Fay,\n\npay 99.90 USD."},
        {"version": 1, "email_subject": "Hello again"},
        {"version": 2, "email_html": "<p>Something else altogether, 5 USD.</p>"},
        {"version": 3, "rebuild": True}))
    for missing in (*MISSING, OLD):
        talk("reader", "GET", missing)
        talk("drafter", "PATCH", missing, {"version": 1, "rebuild": True})


def rejections(talk, path):
    talk.title("Rejections and withdrawals")
    talk.guarded("POST", path + "/reject", {"reason": "x"}, may_not="drafter")
    talk.each("approver", "POST", path + "/reject", NOT_OBJECTS)
    talk.each("approver", "POST", path + "/reject", (
        {}, {"reason": 1}, {"reason": ""}, {"reason": "x", "version": "1"},
        {"reason": "x", "version": 9}, {"reason": "they called", "version": 4},
        {"reason": "again"}))
    for missing in (*MISSING, OLD):
        talk("approver", "POST", missing + "/reject", {"reason": "x"})
        talk("drafter", "POST", missing + "/cancel")
    other = talk.draft("drafter", "fay")
    talk.guarded("POST", other + "/cancel", {})
    talk.each("drafter", "POST", other + "/cancel", NOT_OBJECTS[1:])
    talk.each("drafter", "POST", other + "/cancel", (
        {"reason": 1}, {"reason": "x" * 501}, {"reason": "not now"}, {"reason": "again"}))
    talk("reader", "GET", f"{DRAFTS}?status=rejected")
    talk("reader", "GET", other)


def approvals(talk, path):
    talk.title("Approvals")
    approve = path + "/approve"
    talk.guarded("POST", approve, {"version": 1}, may_not="drafter")
    talk.each("approver", "POST", approve, NOT_OBJECTS)
    talk.each("approver", "POST", approve, (
        {}, {"version": "1"}, {"version": 2}, {"version": 1, "content_hash": 1},
        {"version": 1, "content_hash": "00"}, {"version": 1, "override": "x"},
        {"version": 1, "override": {"reason": None}}))
    for missing in (*MISSING, OLD):
        talk("approver", "POST", missing + "/approve", {"version": 1})
    content = talk.quietly("GET", path)["content_hash"]
    talk("approver", "POST", approve, {"version": 1, "content_hash": content})
    talk.becomes(path, "sent")
    talk("approver", "POST", approve, {"version": 1})
    talk("drafter", "PATCH", path, {"version": 1, "rebuild": True})
    talk("approver", "POST", path + "/reject", {"reason": "x"})
    talk("drafter", "POST", path + "/cancel")
    talk("reader", "GET", path)
    talk("reader", "GET", "/v1/reminders/check?customer_id=eve")
    talk("reader", "GET", "/v1/reminders/check?customer_id=eve&type=first")


def changed_meanwhile(talk):
    talk.title("What has changed before an approval")
    talk.customer("kim", "30", "40")
    path = talk.draft("drafter", "kim")
    talk("approver", "POST", f"{INVOICES}/kim-1/payments", {"amount": 10})
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk("drafter", "PATCH", path, {"version": 1, "rebuild": True})
    talk("approver", "PATCH", f"{CUSTOMERS}/kim", {"email": "kimberly@example.com"})
    talk("approver", "POST", path + "/approve", {"version": 2})
    talk("drafter", "PATCH", path, {"version": 2, "rebuild": True})
    talk("approver", "PATCH", f"{CUSTOMERS}/kim", {"opt_out": True})
    talk("approver", "POST", path + "/approve", {"version": 3})
    talk("admin", "PATCH", f"{CUSTOMERS}/kim", {"opt_out": False})
    talk("approver", "POST", f"{INVOICES}/kim-1/payments", {"amount": 20})
    talk("approver", "PATCH", f"{INVOICES}/kim-2", {"status": "PAID"})
    talk("approver", "POST", path + "/approve", {"version": 3})
    talk("reader", "GET", path)

    talk.customer("leo", "50")
    path = talk.draft("drafter", "leo")
    identifier = path.rpartition("/")[2]
    talk.note("another program changes the text in the table")
    client = boto3.client("dynamodb", endpoint_url=talk.server.endpoint,
                          region_name=server.REGION, aws_access_key_id=server.ACCESS_KEY,
                          aws_secret_access_key=server.SECRET_KEY)
    client.update_item(TableName="EmailTrackingTable",
                       Key={"PK": {"S": "CUSTOMER#leo"}, "SK": {"S": f"DRAFT#{identifier}"}},
                       UpdateExpression="SET email_subject = :subject",
                       ExpressionAttributeValues={":subject": {"S": "Another one"}})
    client.close()
    talk("reader", "GET", path)
    changed = talk("approver", "POST", path + "/approve", {"version": 1})
    talk("approver", "POST", path + "/approve",
         {"version": 1, "content_hash": changed["error"]["details"]["content_hash"]})
    talk.becomes(path, "sent")


def cancelled_after_approval(talk):
    talk.title("Withdrawn after the approval")
    talk.note("mail to paused.example.com waits")
    talk.quietly("POST", "/v1/outbox/pauses", {"scope": "domain:paused.example.com",
                                               "reason": "so that it can be withdrawn"})
    talk.customer("max", "60", email="max@paused.example.com")
    path = talk.draft("drafter", "max")
    mail = talk("approver", "POST", path + "/approve", {"version": 1})["mail_id"]
    talk.mail_is("paused", mail)
    talk("reader", "GET", f"{DRAFTS}?status=approved")
    talk("reader", "GET", "/v1/reminders/check?customer_id=max&type=first")
    talk("approver", "POST", path + "/retry")
    talk("approver", "POST", path + "/approve", {"version": 1})
    talk("admin", "DELETE", f"{CUSTOMERS}/max")
    talk("drafter", "POST", path + "/cancel", {"reason": "x"})
    talk("approver", "POST", path + "/cancel", {"reason": "they paid by phone"})
    talk("approver", "POST", path + "/cancel")
    talk("reader", "GET", path)
    talk("reader", "GET", f"{DRAFTS}?status=cancelled&limit=1000")


def talk_of_drafts(talk):
    due_and_check(talk)
    new_drafts(talk)
    many_drafts(talk)
    listed_drafts(talk)
    eve, fay, _ = [f"{DRAFTS}/{draft['draft_id']}"
                   for draft in talk.quietly("GET", DRAFTS)["items"]]
    edits(talk, fay)
    rejections(talk, fay)
    approvals(talk, eve)
    changed_meanwhile(talk)
    cancelled_after_approval(talk)
