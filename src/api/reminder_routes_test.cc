#include "api/native_for_tests.h"

#include <regex>

namespace mailroom::api {
namespace {

// It is 2026-11-15T05:51:24.123Z.
class ReminderRoutes : public NativeTest {
protected:
    void SetUp() override {
        NativeTest::SetUp();
        reader_ = new_key({"read"});
        drafter_ = new_key({"reminders:draft", "read"});
        approver_ = new_key({"reminders:draft", "reminders:approve", "read"});
        admin_ = new_key({"admin"});
        key_ = approver_;
    }

    static bool has(const Response& response, std::string_view text) {
        return response.body.find(text) != std::string::npos;
    }
    void load() {
        const auto customers = ask("POST", "/v1/reminders/customers/import",
                                   "customer_id,name,email\ncust_001,John Doe,john@example.com\n"
                                   "cust_002,Eve,eve@example.com\n");
        ASSERT_EQ(customers.status, 200) << customers.body;
        const auto invoices =
            ask("POST", "/v1/reminders/invoices/import",
                "invoice_id,customer_id,amount,due_date\nINV-001,cust_001,1000.00,2026-11-03\n"
                "INV-002,cust_001,500,2026-11-08\nINV-003,cust_002,20.5,2026-12-24\n");
        ASSERT_EQ(invoices.status, 200) << invoices.body;
    }
    std::string drafted() {
        const auto made = ask("POST", "/v1/reminders/drafts", R"({"customer_id":"cust_001"})");
        EXPECT_EQ(made.status, 201) << made.body;
        return "20261115_055124_cust_001";
    }
    std::string code(const Response& response) {
        std::smatch found;
        const std::regex pattern(R"~("error":\{"code":"(\w+)")~");
        return std::regex_search(response.body, found, pattern) ? found[1].str() : "";
    }

    std::string reader_, drafter_, approver_, admin_;
};

TEST_F(ReminderRoutes, FromDueToApproval) {
    load();
    const auto due = ask("GET", "/v1/reminders/due");
    ASSERT_EQ(due.status, 200) << due.body;
    EXPECT_TRUE(has(due, R"("customer_id":"cust_001")")) << due.body;
    EXPECT_TRUE(has(due, R"("overdue_amount":1500.00)")) << due.body;
    EXPECT_TRUE(has(due, R"("days_overdue":8,"oldest_days_overdue":11)")) << due.body;
    EXPECT_TRUE(has(due, R"("decision":{"allowed":true,"code":"allowed")")) << due.body;
    EXPECT_FALSE(has(due, "cust_002")) << "nothing of hers is overdue";
    const auto id = drafted();
    const auto shown = ask("GET", "/v1/reminders/drafts/" + id);
    EXPECT_TRUE(has(shown, R"("status":"draft","version":1)")) << shown.body;
    EXPECT_TRUE(has(shown, R"("rule_check":{"allowed":true)")) << shown.body;
    EXPECT_TRUE(has(shown, "<p>Dear John Doe,</p>")) << shown.body;
    EXPECT_TRUE(has(ask("GET", "/v1/reminders/drafts?status=draft"), id));
    const auto edited =
        ask("PATCH", "/v1/reminders/drafts/" + id, R"({"version":1,"email_subject":"Hello"})");
    EXPECT_TRUE(has(edited, R"("version":2)")) << edited.body;
    EXPECT_EQ(ask("POST", "/v1/reminders/drafts/" + id + "/approve", R"({"version":1})").status,
              409);
    const auto approved =
        ask("POST", "/v1/reminders/drafts/" + id + "/approve", R"({"version":2})");
    ASSERT_EQ(approved.status, 200) << approved.body;
    EXPECT_TRUE(has(approved, R"("status":"approved")")) << approved.body;
    EXPECT_TRUE(has(approved, R"("rule_check":{"allowed":true)")) << approved.body;
    const auto again = ask("POST", "/v1/reminders/drafts/" + id + "/approve", R"({"version":2})");
    EXPECT_EQ(again.status, 409);
    EXPECT_TRUE(has(again, R"("status":"approved","version":2)")) << again.body;
    const auto check = ask("GET", "/v1/reminders/check?customer_id=cust_001&type=FINAL_NOTICE");
    EXPECT_TRUE(has(check, R"("allowed":false,"code":"predecessor_missing")")) << check.body;
    const auto stats = ask("GET", "/v1/reminders/stats?from=2026-11-15&to=2026-11-15");
    EXPECT_TRUE(has(stats, R"("templates_created":1,"templates_approved":1)")) << stats.body;
    EXPECT_TRUE(has(stats, R"("delivery_rate":null)")) << stats.body;
    EXPECT_TRUE(has(ask("GET", "/v1/reminders/audit"), R"("what":"approved","by":"test")"));
}

TEST_F(ReminderRoutes, AKeyThatApprovesReadsWhatItApprovesAndNothingElse) {
    load();
    const auto id = drafted();
    for (const std::string scope : {"reminders:approve", "reminders:draft", "reminders:read"}) {
        key_ = new_key({scope});
        EXPECT_EQ(ask("GET", "/v1/reminders/drafts/" + id).status, 200) << scope;
        EXPECT_EQ(ask("GET", "/v1/reminders/drafts").status, 200) << scope;
        EXPECT_EQ(ask("GET", "/v1/reminders/customers/cust_001").status, 200) << scope;
        EXPECT_EQ(ask("GET", "/v1/emails").status, 403) << scope;
    }
    EXPECT_EQ(ask("POST", "/v1/reminders/drafts/" + id + "/approve", R"({"version":1})").status,
              403);
    EXPECT_EQ(ask("POST", "/v1/reminders/drafts/" + id + "/retry").status, 403);
}

TEST_F(ReminderRoutes, TheMailOfAReminderIsSentAgainByItsDraftOnly) {
    load();
    const auto id = drafted();
    const auto path = "/v1/reminders/drafts/" + id;
    const auto shown = ask("GET", path);
    const std::regex hash(R"~("content_hash":"([0-9a-f]{64})")~");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(shown.body, found, hash)) << shown.body;
    EXPECT_EQ(code(ask("POST", path + "/approve", R"({"version":1,"content_hash":"00"})")),
              "content_changed");
    const auto approved = ask("POST", path + "/approve",
                              R"({"version":1,"content_hash":")" + found[1].str() + R"("})");
    ASSERT_EQ(approved.status, 200) << approved.body;
    const std::regex mail(R"~("mail_id":"([0-9a-f-]+)")~");
    ASSERT_TRUE(std::regex_search(approved.body, found, mail)) << approved.body;
    const auto mail_id = found[1].str();
    key_ = new_key({"send"});
    const auto refused = ask("POST", "/v1/emails/" + mail_id + "/retry");
    EXPECT_EQ(refused.status, 409);
    EXPECT_TRUE(has(refused, "POST " + path + "/retry")) << refused.body;
    key_ = approver_;
    EXPECT_EQ(code(ask("POST", path + "/retry")), "conflict") << "it needs no help";
    EXPECT_EQ(ask("POST", path + "/retry", R"({"override":"x"})").status, 400);
}

TEST_F(ReminderRoutes, PaymentsAreListedAndTakenBack) {
    load();
    const std::string path = "/v1/reminders/invoices/INV-001/payments";
    EXPECT_EQ(ask("POST", path, R"({"amount":400})").status, 200);
    const auto listed = ask("GET", path);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(listed.body, found, std::regex(R"~("payment_id":"(\w+)")~")));
    EXPECT_TRUE(has(listed, R"("amount":400.00,"currency":"USD")")) << listed.body;
    const auto undo = path + "/" + found[1].str() + "/undo";
    EXPECT_EQ(ask("POST", undo, "{}").status, 400);
    const auto undone = ask("POST", undo, R"({"reason":"another's"})");
    EXPECT_TRUE(has(undone, R"("paid_amount":0.00)")) << undone.body;
    EXPECT_EQ(code(ask("POST", undo, R"({"reason":"again"})")), "already_undone");
    EXPECT_EQ(ask("POST", path + "/nope/undo", R"({"reason":"x"})").status, 404);
    EXPECT_TRUE(has(ask("GET", path), R"("undo_reason":"another's")"));
    const auto audit = ask("GET", "/v1/reminders/audit?customer_id=cust_001");
    EXPECT_TRUE(has(audit, R"("what":"payment_undone","by":"test")")) << audit.body;
}

TEST_F(ReminderRoutes, TheAuditHasTheTextBeforeAnEdit) {
    load();
    const auto id = drafted();
    ask("PATCH", "/v1/reminders/drafts/" + id, R"({"version":1,"email_content":"Hello"})");
    ask("PATCH", "/v1/reminders/customers/cust_001", R"({"email":"new@example.com"})");
    const auto audit = ask("GET", "/v1/reminders/audit?customer_id=cust_001");
    EXPECT_TRUE(has(audit, R"("before":{"email_subject":"Payment Reminder)")) << audit.body;
    EXPECT_TRUE(has(audit, "Dear John Doe")) << audit.body;
    EXPECT_TRUE(has(audit, R"("what":"address_changed")")) << audit.body;
    EXPECT_TRUE(has(audit, "from john@example.com to new@example.com")) << audit.body;
}

TEST_F(ReminderRoutes, RefusalsHaveTheirCodesAndNameTheirField) {
    load();
    drafted();
    struct Case {
        std::string method, path, body;
        int status;
        std::string_view want;  // In the answer.
    };
    const std::string drafts = "/v1/reminders/drafts";
    const std::string id = drafts + "/20261115_055124_cust_001";
    const Case cases[] = {
        {"POST", drafts, "{}", 400, "customer_id is required"},
        {"POST", drafts, R"({"customer_id":"nope"})", 404, "not_found"},
        {"POST", drafts, R"({"customer_id":"cust_001","reminder_type":"third-ish"})", 400,
         "invalid_reminder_type"},
        {"POST", drafts, R"({"customer_id":"cust_001"})", 409,
         R"("open_draft_id":"20261115_055124_cust_001")"},
        {"POST", drafts, R"({"customer_id":"cust_001","reminder_type":"second"})", 409,
         R"("code":"predecessor_missing")"},
        {"POST", drafts, R"({"customer_id":"cust_002"})", 409, R"("code":"nothing_overdue")"},
        {"POST", drafts, R"({"customer_id":"cust_001","writer":"ai","reminder_type":"first"})", 409,
         "draft_exists"},
        {"POST", drafts, R"({"customer_id":"cust_001","writer":"ghost"})", 400, "writer"},
        {"POST", drafts, R"({"customer_id":"cust_001","override":"x"})", 400, "override"},
        {"POST", drafts, R"({"customer_ids":[]})", 400, "customer_ids"},
        {"POST", drafts, R"({"customer":"x"})", 400, "customer is not known"},
        {"GET", drafts + "?status=late", "", 400, "status"},
        {"GET", drafts + "?after=x", "", 400, "after"},
        {"GET", drafts + "/20261115_055124_nobody", "", 404, "not_found"},
        {"GET", drafts + "/20200101_000000_cust_001", "", 410, "expired"},
        {"GET", drafts + "/x", "", 404, "not_found"},
        {"PATCH", id, R"({"email_subject":"x"})", 400, "version is missing"},
        {"PATCH", id, R"({"version":1})", 400, "rebuild"},
        {"PATCH", id, R"({"version":1,"email_subject":"a\r\nBcc: b"})", 400, "email_subject"},
        {"POST", id + "/approve", "{}", 400, "version is missing"},
        {"POST", id + "/approve", R"({"version":7})", 409, R"("status":"draft","version":1)"},
        {"POST", id + "/reject", "{}", 400, "reason"},
        {"GET", "/v1/reminders/check", "", 400, "customer_id is missing"},
        {"GET", "/v1/reminders/sent?from=yesterday", "", 400, "from"},
        {"GET", "/v1/reminders/audit?date=1", "", 400, "date"},
        {"POST", "/v1/reminders/events", R"({"draft_id":"x","event":"lost"})", 400, "event"},
        {"POST", "/v1/reminders/customers", R"({"customer_id":"c","name":"x","email":"x"})", 400,
         "email"},
        {"POST", "/v1/reminders/customers",
         R"({"customer_id":"cust_001","name":"x","email":"x@example.com"})", 409,
         "customer_exists"},
        {"POST", "/v1/reminders/invoices",
         R"({"customer_id":"cust_001","amount":1.005,"due_date":"2026-01-01"})", 400,
         "amount must have at most two decimals"},
        {"POST", "/v1/reminders/invoices", R"({"customer_id":"cust_001","amount":1})", 400,
         "due_date"},
        {"POST", "/v1/reminders/invoices",
         R"({"customer_id":"no","amount":1,"due_date":"2026-01-01"})", 404, "not_found"},
        {"POST", "/v1/reminders/customers/import", "customer_id,name,email\nc,,x@example.com\n",
         400, R"("line":2)"},
        {"POST", "/v1/reminders/templates/reminder_first/render",
         R"({"data":{"customer_name":"Eve"}})", 422, R"("missing_variables":["invoice_id")"},
        {"POST", "/v1/reminders/templates/reminder_first/render", "{}", 400, "customer_id"},
        {"GET", "/v1/reminders/templates/none", "", 404, "not_found"},
    };
    for (const auto& c : cases) {
        const auto answer = ask(c.method, c.path, c.body);
        EXPECT_EQ(answer.status, c.status)
            << c.method << " " << c.path << " " << c.body << answer.body;
        EXPECT_TRUE(has(answer, c.want)) << c.path << " " << c.body << "\n" << answer.body;
    }
}

TEST_F(ReminderRoutes, WhoMayDraftMayNotApprove) {
    load();
    struct Case {
        std::string key, method, path, body;
        int status;
    };
    const std::string id = "/v1/reminders/drafts/20261115_055124_cust_001";
    const Case cases[] = {
        {reader_, "POST", "/v1/reminders/drafts", R"({"customer_id":"cust_001"})", 403},
        {drafter_, "POST", "/v1/reminders/drafts", R"({"customer_id":"cust_001"})", 201},
        {drafter_, "POST", id + "/approve", R"({"version":1})", 403},
        {drafter_, "POST", id + "/reject", R"({"reason":"x"})", 403},
        {drafter_, "PATCH", "/v1/reminders/customers/cust_001", R"({"name":"x"})", 403},
        {drafter_, "PATCH", "/v1/reminders/invoices/INV-001", R"({"amount":1})", 403},
        {drafter_, "POST", "/v1/reminders/templates/reminder_first/activate", R"({"version":1})",
         403},
        {approver_, "DELETE", "/v1/reminders/customers/cust_001", "", 403},
        {approver_, "GET", "/v1/reminders/customers/cust_001/export", "", 403},
        {approver_, "PATCH", "/v1/reminders/customers/cust_002", R"({"opt_out":true})", 200},
        {approver_, "PATCH", "/v1/reminders/customers/cust_002", R"({"opt_out":false})", 403},
        {admin_, "PATCH", "/v1/reminders/customers/cust_002", R"({"opt_out":false})", 200},
        {approver_, "POST", "/v1/reminders/drafts",
         R"({"customer_id":"cust_001","reminder_type":"second","override":{"reason":"x"}})", 403},
        {approver_, "POST", id + "/approve", R"({"version":1})", 200},
        {drafter_, "POST", id + "/cancel", "", 403},
        {approver_, "POST", id + "/cancel", "", 200},
    };
    for (const auto& c : cases) {
        key_ = c.key;
        const auto answer = ask(c.method, c.path, c.body);
        EXPECT_EQ(answer.status, c.status) << c.method << " " << c.path << " " << answer.body;
    }
}

TEST_F(ReminderRoutes, ManyAreDraftedWithAResultForEach) {
    load();
    const std::string body = R"({"customer_ids":["cust_001","cust_002","nobody"])";
    const auto dry = ask("POST", "/v1/reminders/drafts", body + R"(,"dry_run":true})");
    EXPECT_EQ(dry.status, 200);
    EXPECT_TRUE(has(dry, R"("allowed":1,"refused":2)")) << dry.body;
    const auto bulk = ask("POST", "/v1/reminders/drafts", body + "}");
    EXPECT_EQ(bulk.status, 200);
    EXPECT_TRUE(has(bulk, R"("drafted":1,"refused":2)")) << bulk.body;
    EXPECT_TRUE(has(bulk, R"({"customer_id":"cust_001","draft_id":"20261115_055124_cust_001")"))
        << bulk.body;
    EXPECT_TRUE(has(bulk, R"({"customer_id":"cust_002","error":{"code":"nothing_overdue")"))
        << bulk.body;
    EXPECT_TRUE(has(bulk, R"({"customer_id":"nobody","error":{"code":"not_found")")) << bulk.body;
    std::string many = R"({"customer_ids":["x")";
    for (int i = 0; i < 1000; ++i) many += R"(,"x")";
    EXPECT_EQ(ask("POST", "/v1/reminders/drafts", many + "]}").status, 400);
}

TEST_F(ReminderRoutes, WithoutAModelNothingIsDraftedUnlessTheTemplateMay) {
    load();
    const auto refused =
        ask("POST", "/v1/reminders/drafts", R"({"customer_id":"cust_001","writer":"ai"})");
    EXPECT_EQ(refused.status, 502);
    EXPECT_EQ(code(refused), "ai_unavailable");
    EXPECT_TRUE(has(ask("GET", "/v1/reminders/drafts"), R"("items":[])"));
    const auto made = ask("POST", "/v1/reminders/drafts",
                          R"({"customer_id":"cust_001","writer":"ai","fallback":true})");
    EXPECT_EQ(made.status, 201);
    EXPECT_TRUE(has(made, R"("created_by":"template")")) << made.body;
}

TEST_F(ReminderRoutes, ADryImportChangesNothing) {
    const std::string file = "customer_id,name,email\nc,Ann,ann@example.com\n";
    const auto dry = ask("POST", "/v1/reminders/customers/import?dry_run=true", file);
    EXPECT_TRUE(has(dry, R"("rows":1,"created":1)")) << dry.body;
    EXPECT_EQ(ask("GET", "/v1/reminders/customers/c").status, 404);
    EXPECT_EQ(ask("POST", "/v1/reminders/customers/import", file).status, 200);
    EXPECT_EQ(ask("GET", "/v1/reminders/customers/c").status, 200);
    const auto wrong = ask("POST", "/v1/reminders/customers/import?dry_run=true",
                           "customer_id,name,email\nc,Ann,x\n");
    EXPECT_EQ(wrong.status, 200);
    EXPECT_TRUE(has(wrong, R"("errors":[{"line":2,"field":"email")")) << wrong.body;
}

TEST_F(ReminderRoutes, InvoicesArePaidOnceForOneKey) {
    load();
    const std::vector<Header> once = {{"Idempotency-Key", "pay-1"}};
    for (int i = 0; i < 2; ++i) {
        const auto paid =
            ask("POST", "/v1/reminders/invoices/INV-001/payments", R"({"amount":400.25})", once);
        EXPECT_TRUE(has(paid, R"("remaining_balance":599.75)")) << paid.body;
    }
    const auto listed = ask("GET", "/v1/reminders/invoices?customer_id=cust_001");
    EXPECT_TRUE(has(listed, R"("invoice_id":"INV-002")")) << listed.body;
    EXPECT_FALSE(has(listed, "INV-003"));
    EXPECT_EQ(ask("DELETE", "/v1/reminders/invoices/INV-001").status, 409);
    EXPECT_EQ(ask("PATCH", "/v1/reminders/invoices/INV-001", R"({"status":"CANCELLED"})").status,
              200);
    EXPECT_EQ(ask("DELETE", "/v1/reminders/invoices/INV-001").status, 204);
    EXPECT_EQ(ask("GET", "/v1/reminders/invoices/INV-001").status, 404);
    const auto made = ask("POST", "/v1/reminders/invoices",
                          R"({"customer_id":"cust_002","amount":"12.50","due_date":"2026-12-01"})");
    EXPECT_EQ(made.status, 201);
    EXPECT_TRUE(has(made, R"({"invoice_id":"INV-2026-)")) << made.body;
}

TEST_F(ReminderRoutes, TemplatesHaveVersionsAndAPreview) {
    load();
    const std::string text =
        R"("template_name":"Mine","template_type":"first_reminder",)"
        R"("subject_template":"Hi {{customer_name}}","body_template":"Pay {{total_amount}}"})";
    EXPECT_EQ(ask("POST", "/v1/reminders/templates", R"({"template_id":"mine",)" + text).status,
              201);
    EXPECT_EQ(ask("POST", "/v1/reminders/templates", R"({"template_id":"mine",)" + text).status,
              409);
    const auto second =
        ask("POST", "/v1/reminders/templates/mine/versions", R"({"activate":true,)" + text);
    EXPECT_TRUE(has(second, R"("version":2,"status":"active")")) << second.body;
    const auto active = ask("POST", "/v1/reminders/templates/mine/activate", R"({"version":1})");
    EXPECT_TRUE(has(active, R"("version":1,"status":"active")")) << active.body;
    const auto rendered =
        ask("POST", "/v1/reminders/templates/mine/render", R"({"customer_id":"cust_001"})");
    EXPECT_TRUE(has(rendered, R"("email_subject":"Hi John Doe","email_content":"Pay $1,500.00")"))
        << rendered.body;
    EXPECT_TRUE(
        has(ask("GET", "/v1/reminders/templates/mine"), R"("version":2,"status":"inactive")"));
    EXPECT_TRUE(has(ask("GET", "/v1/reminders/templates"), "reminder_second"));
}

TEST_F(ReminderRoutes, AllThatIsKnownIsGivenOutAndErased) {
    load();
    drafted();
    key_ = admin_;
    const auto known = ask("GET", "/v1/reminders/customers/cust_001/export");
    ASSERT_EQ(known.status, 200) << known.body;
    for (const std::string_view part :
         {"john@example.com", "INV-002", "20261115_055124_cust_001", R"("what":"drafted")"}) {
        EXPECT_TRUE(has(known, part)) << part;
    }
    EXPECT_EQ(ask("DELETE", "/v1/reminders/customers/cust_001").status, 204);
    EXPECT_EQ(ask("GET", "/v1/reminders/customers/cust_001").status, 404);
    EXPECT_EQ(ask("GET", "/v1/reminders/invoices/INV-001").status, 404);
}

}  // namespace
}  // namespace mailroom::api
