"""What is said about customers, invoices and payments."""

from talk import NOT_OBJECTS
from transcript import CUSTOMERS, INVOICES, day


def customers(talk):
    talk.title("Customers")
    talk("reader", "GET", CUSTOMERS)
    ann = {"customer_id": "ann", "name": "Ann Lee", "email": "ann@example.com"}
    talk("stranger", "POST", CUSTOMERS, ann)
    talk.guarded("POST", CUSTOMERS, ann)
    talk("approver", "POST", CUSTOMERS, ann, once="ann-1")
    talk("approver", "POST", CUSTOMERS, ann, once="ann-1")
    talk("approver", "POST", CUSTOMERS, {**ann, "name": "Anne"}, once="ann-1")
    talk("approver", "POST", CUSTOMERS, ann, once="")
    talk("approver", "POST", CUSTOMERS, ann)
    talk("approver", "POST", CUSTOMERS, {"customer_id": "bob", "name": "Bob & Söhne",
                                         "email": "bob@example.com", "currency": "EUR"})
    talk("approver", "POST", CUSTOMERS, {"customer_id": "kay", "name": "Kay", "currency": "JPY",
                                         "email": "kay@example.com"})
    talk.each("approver", "POST", CUSTOMERS, NOT_OBJECTS)
    for change in ({"customer_id": None}, {"customer_id": 7}, {"customer_id": "a b"},
                   {"name": None}, {"name": True}, {"name": ""}, {"name": "two\nlines"},
                   {"email": None}, {"email": []}, {"email": "ann"}, {"currency": 1},
                   {"currency": "dollars"}):
        talk("approver", "POST", CUSTOMERS, {**ann, **change})
    talk("approver", "PUT", CUSTOMERS, ann)

    talk("reader", "GET", f"{CUSTOMERS}/ann")
    talk("reader", "GET", f"{CUSTOMERS}/nobody")
    talk("reader", "GET", f"{CUSTOMERS}/a%20b")
    talk.guarded("GET", f"{CUSTOMERS}/ann", may_not="mailer")
    talk.pages("reader", CUSTOMERS, 2)
    talk.bad_pages(CUSTOMERS)
    talk.guarded("GET", CUSTOMERS, may_not="mailer")
    talk("reader", "GET", f"{CUSTOMERS}?limit=1&colour=red&size=4")


def changed_customers(talk):
    talk.title("Changes of customers")
    path = f"{CUSTOMERS}/ann"
    talk.guarded("PATCH", path, {"name": "Anne"}, may_not="drafter")
    talk("approver", "PATCH", path, {"name": "Anne Lee"})
    talk("approver", "PATCH", path, {"email": "anne@example.com"})
    talk("approver", "PATCH", path, {})
    talk("approver", "PATCH", path, {"opt_out": True})
    talk("approver", "PATCH", path, {"opt_out": True})
    talk("approver", "PATCH", path, {"opt_out": False})
    talk("admin", "PATCH", path, {"opt_out": False})
    talk.each("approver", "PATCH", path, NOT_OBJECTS)
    talk.each("approver", "PATCH", path, (
        {"name": 1}, {"name": ""}, {"email": False}, {"email": "x"}, {"opt_out": "yes"},
        {"currency": "EUR"}))
    talk("approver", "PATCH", f"{CUSTOMERS}/nobody", {"name": "x"})


def imported_customers(talk):
    talk.title("Customers from a file")
    path = f"{CUSTOMERS}/import"
    good = ("customer_id,name,email,currency,opt_out,shoe_size\n"
            "carl,Carl,carl@example.com,,,44\n"
            "dora,\"Dora, the first\",dora@example.com,EUR,,38\n"
            "ann,Anne Lee,anne@example.com,,,39\n")
    bad = ("customer_id;name;email;opt_out\n"
           "carl;Carl;carl@example.com;perhaps\n"
           "carl;Carl;carl@example.com;\n"
           "a b;;x;\n"
           "four;fields\n")
    talk.guarded("POST", path, good, may_not="drafter")
    talk("approver", "POST", f"{path}?dry_run=true", good)
    talk("reader", "GET", f"{CUSTOMERS}/carl")
    talk("approver", "POST", f"{path}?dry_run=false", good)
    talk("approver", "POST", path, good)
    talk("approver", "POST", path, "customer_id\tname\temail\ncarl\tCarl II\tcarl@example.com\n")
    talk("approver", "POST", path, "customer_id,name,email,opt_out\n"
                                   "dora,Dora,dora@example.com,yes\n")
    talk("approver", "POST", f"{path}?dry_run=true", bad)
    for body in (bad, "customer_id,name,email\nx,,x@example.com\n", "",
                 "customer_id,name\nx,X\n", "customer_id,name,email,name\nx,X,x@example.com,X\n",
                 "customer_id,name,email\nx,\"X,x@example.com\n", "customer_id,name,email\n"):
        talk("approver", "POST", path, body)
    talk("approver", "POST", f"{path}?dry_run=maybe", good)
    talk.too_large("approver", path)


def invoices(talk):
    talk.title("Invoices")
    one = {"invoice_id": "A-1", "customer_id": "ann", "amount": 1500.25, "due_date": day(-30)}
    talk.guarded("POST", INVOICES, one, may_not="drafter")
    talk("approver", "POST", INVOICES, one, once="a-1")
    talk("approver", "POST", INVOICES, one, once="a-1")
    talk("approver", "POST", INVOICES, {**one, "amount": 1}, once="a-1")
    talk("approver", "POST", INVOICES, one)
    talk.each("approver", "POST", INVOICES, (
        {**one, "invoice_id": "A-2", "amount": "12.50", "due_date": day(20), "status": "draft"},
        {**one, "invoice_id": "A/3", "status": "PAID", "paid_date": day(-10)},
        {**one, "invoice_id": "A-4", "due_date": "2020-02-29T12:00:00Z", "status": "CANCELLED"},
        {**one, "invoice_id": "K-1", "customer_id": "kay", "amount": 1500, "currency": "JPY"}))
    talk.each("approver", "POST", INVOICES, NOT_OBJECTS)
    for change in ({"customer_id": None}, {"customer_id": 1}, {"customer_id": "nobody"},
                   {"amount": None}, {"amount": True}, {"amount": "lots"}, {"amount": 0},
                   {"amount": -1}, {"amount": 1.005}, {"amount": 1e15}, {"due_date": None},
                   {"due_date": 3}, {"due_date": "soon"}, {"due_date": "2025-02-30"},
                   {"status": "LATE"}, {"status": 1}, {"paid_date": "never"}, {"currency": "EUR"},
                   {"currency": 1}, {"invoice_id": 1}, {"invoice_id": "a b"},
                   {"customer_id": "kay", "amount": 1.5}):
        talk("approver", "POST", INVOICES, {**one, "invoice_id": "A-9", **change})

    talk("reader", "GET", f"{INVOICES}/A-1")
    talk("reader", "GET", f"{INVOICES}/A%2F3")
    talk("reader", "GET", f"{INVOICES}/A-9")
    talk.guarded("GET", f"{INVOICES}/A-1", may_not="mailer")
    talk.pages("reader", f"{INVOICES}?customer_id=ann", 2)
    talk.pages("reader", INVOICES, 3)
    # Its id is made, and a list of all invoices is in no order that ids do not make.
    talk("approver", "POST", INVOICES, {"customer_id": "bob", "amount": 20, "due_date": day(1)})
    talk("reader", "GET", f"{INVOICES}?customer_id=bob")
    talk("reader", "GET", f"{INVOICES}?customer_id=nobody")
    talk.bad_pages(f"{INVOICES}?customer_id=ann")
    talk.bad_pages(INVOICES)
    talk.guarded("GET", INVOICES, may_not="mailer")


def changed_invoices(talk):
    talk.title("Changes of invoices")
    path = f"{INVOICES}/A-2"
    talk.guarded("PATCH", path, {"amount": 1}, may_not="drafter")
    talk.each("approver", "PATCH", path, (
        {"amount": 99.5, "due_date": day(-20)}, {"status": "PAID"}, {"status": "SENT"},
        {"status": "OVERDUE"}, {"status": "DRAFT"}, {}))
    talk.each("approver", "PATCH", path, NOT_OBJECTS)
    talk.each("approver", "PATCH", path, (
        {"amount": []}, {"amount": 0}, {"due_date": "soon"}, {"status": "LATE"}, {"paid_date": 1},
        {"customer_id": "bob"}))
    talk("approver", "PATCH", f"{INVOICES}/A-9", {"amount": 1})
    talk("approver", "PATCH", path, {"status": "PAID", "paid_date": day(-1)})
    talk("approver", "PATCH", path, {"amount": 100})
    talk.guarded("DELETE", f"{INVOICES}/A-4", may_not="drafter")
    talk("approver", "DELETE", path)
    talk("approver", "DELETE", f"{INVOICES}/A-4")
    talk("approver", "DELETE", f"{INVOICES}/A-4")


def payments(talk):
    talk.title("Payments")
    path = f"{INVOICES}/A-1/payments"
    talk.guarded("POST", path, {"amount": 1}, may_not="drafter")
    talk.guarded("GET", path, may_not="mailer")
    talk("reader", "GET", path)
    talk("approver", "POST", path, {"amount": 400.25}, once="pay-1")
    talk("approver", "POST", path, {"amount": 400.25}, once="pay-1")
    talk("approver", "POST", path, {"amount": 400}, once="pay-1")
    talk.each("approver", "POST", path, NOT_OBJECTS)
    talk.each("approver", "POST", path, (
        {}, {"amount": False}, {"amount": 0}, {"amount": 1.001}, {"amount": 5000},
        {"amount": 1, "paid_date": "x"}))
    talk("approver", "POST", f"{INVOICES}/A-9/payments", {"amount": 1})
    talk("approver", "POST", path, {"amount": "1100.00", "paid_date": day(-2)})
    talk("approver", "POST", path, {"amount": 1})
    first, second = talk("reader", "GET", path)["items"]
    talk("reader", "GET", f"{INVOICES}/A%2F3/payments")
    talk("reader", "GET", f"{INVOICES}/A-9/payments")

    undo = f"{path}/{second['payment_id']}/undo"
    talk.guarded("POST", undo, {"reason": "x"}, may_not="drafter")
    talk.each("approver", "POST", undo, NOT_OBJECTS)
    talk.each("approver", "POST", undo, (
        {}, {"reason": 1}, {"reason": ""}, {"reason": "it was another customer's"},
        {"reason": "again"}))
    talk("approver", "POST", f"{path}/{first['payment_id']}/undo", {"reason": "it bounced"})
    talk("approver", "POST", f"{path}/none/undo", {"reason": "x"})
    talk("approver", "POST", f"{INVOICES}/A-9/payments/none/undo", {"reason": "x"})
    talk("reader", "GET", path)


def imported_invoices(talk):
    talk.title("Invoices from a file")
    path = f"{INVOICES}/import"
    good = ("invoice_id,customer_id,amount,due_date,status,paid_amount,paid_date,currency,colour\n"
            f"C-1,carl,\"1,234.50\",{day(-40)},,,,,red\n"
            f"C-2,carl,100.00,{day(-40)},SENT,25.00,{day(-35)},USD,red\n"
            f"C-3,carl,50.00,{day(-40)},PAID,,{day(-5)},,\n")
    bad = ("invoice_id,customer_id,amount,due_date,status,paid_amount\n"
           f"C-1,ann,1,{day()},,\n"
           f"C-4,nobody,1,{day()},,\n"
           f"C-5,carl,,{day()},,\n"
           "C-6,carl,1.00,soon,,\n"
           f"C-7,carl,1.00,{day()},LATE,\n"
           f"C-8,carl,1.00,{day()},,2.00\n"
           f"C-8,carl,1.00,{day()},,\n"
           f"a b,carl,1.00,{day()},,\n")
    talk.guarded("POST", path, good, may_not="drafter")
    talk("approver", "POST", f"{path}?dry_run=true", good)
    talk("approver", "POST", path, good)
    talk("approver", "POST", path, good)
    talk("approver", "POST", path,
         f"invoice_id,customer_id,amount,due_date,paid_amount\nC-2,carl,100.00,{day(-40)},60.00\n")
    talk("approver", "POST", f"{path}?dry_run=true", bad)
    talk("approver", "POST", path, bad)
    head = "invoice_id,customer_id,amount,due_date"
    for body in ("", "invoice_id,amount\nX,1\n", f"{head}\nX,carl,\"1,234\",{day()}\n",
                 f"{head},currency\nX,carl,1.00,{day()},EUR\n", f"{head}\nX,carl,1.00\n"):
        talk("approver", "POST", path, body)
    talk("approver", "POST", f"{path}?dry_run=1", good)
    talk.too_large("approver", path)
    talk("reader", "GET", f"{INVOICES}?customer_id=carl")
    talk("reader", "GET", f"{INVOICES}/C-2/payments")


def late_payers(talk):
    talk.title("Those who pay late")
    for name, paid in (("lana", -10), ("lars", -30)):
        talk.note(f"there is {name}, who paid three invoices late")
        talk.quietly("POST", CUSTOMERS, {"customer_id": name, "name": name.title(),
                                         "email": f"{name}@example.com"})
        for number in range(3):
            talk.quietly("POST", INVOICES, {
                "invoice_id": f"{name}-{number}", "customer_id": name, "amount": 10,
                "due_date": day(-60 - number), "status": "PAID", "paid_date": day(paid)})
    path = "/v1/reminders/late-payers"
    talk("approver", "POST", INVOICES, {"customer_id": "lars", "amount": 1, "due_date": day(9)})
    talk("reader", "GET", path)
    talk.pages("reader", path, 1)
    talk.bad_pages(path)
    talk.guarded("GET", path, may_not="mailer")


def talk_of_accounts(talk):
    for part in (customers, changed_customers, imported_customers, invoices, changed_invoices,
                 payments, imported_invoices, late_payers):
        part(talk)
