#include "api/native_for_tests.h"
#include "json/json.h"

#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace mailroom::api {
namespace {

constexpr std::string_view id_a = "11111111-2222-4333-8444-555555555555";
constexpr std::string_view id_b = "22222222-2222-4333-8444-555555555555";

std::string mail(std::string_view more = "") {
    return R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao","text":"x")" +
           std::string(more) + "}";
}
std::string mail_with_id(std::string_view id, std::string_view more = "") {
    return mail(R"(,"id":")" + std::string(id) + "\"" + std::string(more));
}

class EmailRoutes : public NativeTest {
protected:
    // A text inside the answer, by the names on the way to it.
    static std::string text_at(const Response& response,
                               std::initializer_list<std::string_view> path) {
        json::Parser parser;
        const auto parsed = parser.parse(response.body);
        EXPECT_TRUE(parsed) << response.body;
        if (!parsed) return "";
        auto view = *parsed;
        for (const auto name : path) {
            const auto member = view.find(name);
            if (!member) return "(no " + std::string(name) + ")";
            view = *member;
        }
        return view.type() == json::View::Type::text ? std::string(view.text()) : "(no text)";
    }
    static bool has(const Response& response, std::string_view text) {
        return response.body.find(text) != std::string::npos;
    }
    static std::string value_of(const Response& response, std::string_view header) {
        for (const auto& [name, value] : response.headers) {
            if (name == header) return value;
        }
        return "";
    }
    std::int64_t stored() { return taken(ledger_->counts()).waiting(); }
};

TEST_F(EmailRoutes, APostedMailIsStoredWithItsRequestAndCanBeLookedAt) {
    const auto body = mail(R"(,"tags":["invoice"], "metadata":{"order": 1.50})");
    const auto posted = ask("POST", "/v1/emails", body);
    ASSERT_EQ(posted.status, 202) << posted.body;
    EXPECT_EQ(text_at(posted, {"state"}), "READY");
    const auto id = text_at(posted, {"id"});

    const auto shown = ask("GET", "/v1/emails/" + id);
    ASSERT_EQ(shown.status, 200) << shown.body;
    EXPECT_EQ(text_at(shown, {"state"}), "READY");
    EXPECT_EQ(text_at(shown, {"request", "subject"}), "Ciao");
    EXPECT_TRUE(has(shown, R"("metadata":{"order": 1.50})")) << shown.body;
    EXPECT_TRUE(has(shown, R"("state":"ACCEPTED")")) << "the timeline begins there";
    EXPECT_FALSE(has(shown, R"("text":"x")")) << "the text is under raw";

    const auto raw = ask("GET", "/v1/emails/" + id + "/raw");
    ASSERT_EQ(raw.status, 200);
    EXPECT_EQ(raw.content_type, "message/rfc822");
    EXPECT_TRUE(has(raw, "Subject: Ciao\r\n")) << raw.body;

    const auto found = taken(ledger_->find(id));
    ASSERT_TRUE(found);
    EXPECT_EQ(taken(outbox_->payload(*found)), body) << "as it came";
}

TEST_F(EmailRoutes, BadInputNamesTheFieldAndStoresNothing) {
    struct Case {
        std::string body, field;
    };
    const Case cases[] = {
        {R"({"from":"a@example.com","to":["b@example.org","nobody"],"subject":"s","text":"x"})",
         "to[1]"},
        {R"({"to":"b@example.org","subject":"s","text":"x"})", "from"},
        {mail(R"(,"sbject":"x")"), "sbject"},
        {mail_with_id("NOT-A-UUID"), "id"},
        {mail(R"(,"stream":"slow")"), "stream"},
        {"[" + mail() + "," + mail(R"(,"stream":"slow")") + "]", "[1].stream"},
        {R"({"emails":[)" + mail(R"(,"stream":"slow")") + "," + mail() + "]}", "emails[0].stream"},
        {R"({"emails":[]})", "emails"},
        {R"({"emails":7})", "emails"},
        {R"({"emails":[)" + mail() + R"(],"more":1})", "more"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.body);
        const auto refused = ask("POST", "/v1/emails", c.body);
        EXPECT_EQ(refused.status, 400);
        EXPECT_EQ(text_at(refused, {"error", "code"}), "invalid");
        EXPECT_EQ(text_at(refused, {"error", "details", "field"}), c.field) << refused.body;
        EXPECT_TRUE(text_at(refused, {"error", "message"}).starts_with(c.field + " "));
    }
    for (const std::string body : {"", "{", "7", "[]", "null", "\"text\"", "\xff"}) {
        EXPECT_EQ(ask("POST", "/v1/emails", body).status, 400) << body;
    }
    EXPECT_EQ(stored(), 0);
}

TEST_F(EmailRoutes, ABatchIsAnsweredMailByMail) {
    ASSERT_EQ(ask("POST", "/v1/emails", mail_with_id(id_a)).status, 202);
    const auto other = mail_with_id(id_a, R"(,"tags":["other"])");
    const auto posted = ask("POST", "/v1/emails", "[" + other + "," + mail_with_id(id_b) + "]");
    ASSERT_EQ(posted.status, 202) << posted.body;
    EXPECT_TRUE(has(posted, R"({"results":[{"error":{"code":"conflict")")) << posted.body;
    EXPECT_TRUE(has(posted, R"("index":0},{"id":")" + std::string(id_b) + "\"")) << posted.body;

    EXPECT_EQ(ask("POST", "/v1/emails", "[" + other + "]").status, 409) << "none was accepted";
    EXPECT_EQ(ask("POST", "/v1/emails", other).status, 409);
    EXPECT_EQ(stored(), 2);

    std::string many = "[" + mail();
    for (int i = 1; i < 100; ++i) many += "," + mail();
    EXPECT_EQ(ask("POST", "/v1/emails", many + "]").status, 202);
    EXPECT_EQ(ask("POST", "/v1/emails", many + "," + mail() + "]").status, 400);
    EXPECT_EQ(stored(), 102);
}

TEST_F(EmailRoutes, TheSameIdempotencyKeyMakesTheSameMailsOnce) {
    const std::vector<Header> header{{"Idempotency-Key", "order-7"}};
    const auto batch = "[" + mail() + "," + mail_with_id(id_b) + "]";
    const auto first = ask("POST", "/v1/emails", batch, header);
    ASSERT_EQ(first.status, 202) << first.body;
    const auto again = ask("POST", "/v1/emails", batch, header);
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(ask("POST", "/v1/emails", mail(), header).status, 409);
    EXPECT_EQ(stored(), 2);

    // As after a crash: the record of the first run is gone, the mails are there.
    clock_.advance(Idempotency::kept_for + std::chrono::seconds(1));
    const auto later = ask("POST", "/v1/emails", batch, header);
    EXPECT_EQ(later.body, first.body);
    EXPECT_EQ(stored(), 2) << "the ids follow from the key";
}

TEST_F(EmailRoutes, AnIdOfTheCallersIsOneMail) {
    const auto first = ask("POST", "/v1/emails", mail_with_id(id_a));
    ASSERT_EQ(first.status, 202) << first.body;
    EXPECT_EQ(text_at(first, {"id"}), id_a);
    EXPECT_EQ(ask("POST", "/v1/emails", mail_with_id(id_a)).body, first.body);
    const std::vector<Header> header{{"Idempotency-Key", "order-9"}};
    EXPECT_EQ(ask("POST", "/v1/emails", mail_with_id(id_a), header).body, first.body);
    const auto other = mail_with_id(id_a, R"(,"tags":["other"])");
    EXPECT_EQ(ask("POST", "/v1/emails", other).status, 409);
    EXPECT_EQ(stored(), 1);
}

TEST_F(EmailRoutes, OneMailAndItsIdempotencyKeyAreWrittenTogether) {
    const std::vector<Header> header{{"Idempotency-Key", "order-8"}};
    const auto commits = rows_.commits();
    const auto first = ask("POST", "/v1/emails", mail(), header);
    ASSERT_EQ(first.status, 202) << first.body;
    EXPECT_EQ(rows_.commits(), commits + 1);
    EXPECT_EQ(value_of(first, "Idempotent-Replayed"), "");
    const auto again = ask("POST", "/v1/emails", mail(), header);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(value_of(again, "Idempotent-Replayed"), "true");
    EXPECT_EQ(ask("POST", "/v1/emails", mail_with_id(id_b), header).status, 409);
    EXPECT_EQ(stored(), 1);
}

TEST_F(EmailRoutes, WithAnIdempotencyKeyARefusalIsKeptAndTroubleOfOursIsNot) {
    const auto key = [](const char* value) {
        return std::vector<Header>{{"Idempotency-Key", value}};
    };
    for (const char* bad : {R"({"from":"x"})", "[",
                            R"({"from":"a@example.com","to":"b@example.org",)"
                            R"("subject":"s","text":"{{ nonsense","data":{}})"}) {
        const auto refused = ask("POST", "/v1/emails", bad, key(bad));
        EXPECT_EQ(refused.status, 400) << bad;
        const auto again = ask("POST", "/v1/emails", bad, key(bad));
        EXPECT_EQ(again.body, refused.body);
        EXPECT_EQ(value_of(again, "Idempotent-Replayed"), "true") << bad;
        EXPECT_EQ(ask("POST", "/v1/emails", mail(), key(bad)).status, 409) << bad;
    }
    rows_.fail_commit(1, {Errc::unavailable, "full"});
    EXPECT_EQ(ask("POST", "/v1/emails", mail(), key("disk")).status, 503);
    EXPECT_EQ(stored(), 0);
    EXPECT_EQ(ask("POST", "/v1/emails", mail(), key("disk")).status, 202);
    EXPECT_EQ(ask("POST", "/v1/emails", mail(), key("")).status, 400);
    EXPECT_EQ(stored(), 1);
}

TEST_F(EmailRoutes, OfManyAtOnceWithOneIdempotencyKeyOneMailIsMade) {
    constexpr int threads = 8;
    for (int round = 0; round < 10; ++round) {
        const std::vector<Header> header{{"Idempotency-Key", "order-" + std::to_string(round)}};
        std::set<std::string> answers;
        std::mutex mutex;
        std::vector<std::thread> asking;
        for (int i = 0; i < threads; ++i) {
            asking.emplace_back([&] {
                const auto answer = ask("POST", "/v1/emails", mail(), header);
                EXPECT_EQ(answer.status, 202) << answer.body;
                const std::lock_guard lock(mutex);
                answers.insert(answer.body);
            });
        }
        for (auto& thread : asking) thread.join();
        EXPECT_EQ(answers.size(), 1U);
        EXPECT_EQ(stored(), round + 1);
    }
}

TEST_F(EmailRoutes, AFullQueueIsToldWith429) {
    outbox::OutboxOptions options;
    options.waiting_max = 1;
    router_.reset();
    schedule_.reset();
    engine_.reset();
    open(options);
    ASSERT_EQ(ask("POST", "/v1/emails", mail()).status, 202);
    clock_.advance(std::chrono::minutes(1));
    const auto refused = ask("POST", "/v1/emails", mail());
    EXPECT_EQ(refused.status, 429) << refused.body;
    ASSERT_FALSE(refused.headers.empty());
    EXPECT_EQ(refused.headers.front().first, "Retry-After");
    EXPECT_EQ(ask("POST", "/v1/emails", "[" + mail() + "]").status, 429);
}

TEST_F(EmailRoutes, ARawMessageIsTakenAsItIs) {
    const std::string message =
        "From: a@example.com\r\nTo: b@example.org\r\nSubject: Raw\r\n\r\nHello\r\n";
    const std::vector<Header> type{{"Content-Type", "message/rfc822"}};
    const auto posted =
        ask("POST", "/v1/emails/raw?to=c@example.org&to=d@example.org&stream=bulk", message, type);
    ASSERT_EQ(posted.status, 202) << posted.body;
    const auto shown = ask("GET", "/v1/emails/" + text_at(posted, {"id"}));
    EXPECT_EQ(text_at(shown, {"stream"}), "bulk");
    EXPECT_TRUE(has(shown, R"("address":"c@example.org")")) << shown.body;
    EXPECT_FALSE(has(shown, R"("address":"b@example.org")")) << shown.body;

    EXPECT_EQ(ask("POST", "/v1/emails/raw", message, {{"Content-Type", "text/html"}}).status, 415);
    EXPECT_EQ(ask("POST", "/v1/emails/raw", "", type).status, 400);
    EXPECT_EQ(ask("POST", "/v1/emails/raw", "Subject: x\r\n\r\n", type).status, 400);
    EXPECT_EQ(ask("POST", "/v1/emails/raw?to=nobody", message, type).status, 400);
    EXPECT_EQ(ask("POST", "/v1/emails/raw?cc=c@example.org", message, type).status, 400);
    EXPECT_EQ(stored(), 1);
    for (const std::size_t bytes : {100'000, 400'000}) {
        auto large = message;
        while (large.size() < bytes) large += std::string(900, 'x') + "\r\n";
        ASSERT_EQ(ask("POST", "/v1/emails/raw", large, type).status, 202);
    }
    EXPECT_EQ(stored(), 3);
}

TEST_F(EmailRoutes, ARawMessageWithAnIdempotencyKeyIsTakenOnce) {
    const std::string message = "From: a@example.com\r\nTo: b@example.org\r\n\r\nHello\r\n";
    const std::vector<Header> headers{{"Content-Type", "message/rfc822"},
                                      {"Idempotency-Key", "raw-1"}};
    const auto commits = rows_.commits();
    const auto first = ask("POST", "/v1/emails/raw", message, headers);
    ASSERT_EQ(first.status, 202) << first.body;
    EXPECT_EQ(rows_.commits(), commits + 1);
    const auto again = ask("POST", "/v1/emails/raw", message, headers);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(value_of(again, "Idempotent-Replayed"), "true");
    EXPECT_EQ(ask("POST", "/v1/emails/raw?stream=bulk", message, headers).status, 409);
    EXPECT_EQ(stored(), 1);

    auto bad = headers;
    bad[1].second = "raw-2";
    EXPECT_EQ(ask("POST", "/v1/emails/raw", "x", bad).status, 400);
    EXPECT_EQ(ask("POST", "/v1/emails/raw", message, bad).status, 409) << "the refusal is kept";
    EXPECT_EQ(stored(), 1);
}

TEST_F(EmailRoutes, MailsAreListedByStateInPages) {
    for (int i = 0; i < 5; ++i) ASSERT_EQ(ask("POST", "/v1/emails", mail()).status, 202);
    std::string next;
    std::size_t pages = 0;
    do {
        const auto page = ask("GET", "/v1/emails?state=READY&limit=2&after=" + next);
        ASSERT_EQ(page.status, 200) << page.body;
        next = text_at(page, {"next"});
        ++pages;
    } while (next != "(no text)" && pages < 10);
    EXPECT_EQ(pages, 3u);
    EXPECT_TRUE(has(ask("GET", "/v1/emails?state=SENT"), R"("items":[])"));
    EXPECT_TRUE(has(ask("GET", "/v1/emails?held=true"), R"("items":[])"));
    for (const std::string query : {"state=Nowhere", "limit=0", "limit=1001", "limit=x", "held=no",
                                    "state=READY&after=rubbish"}) {
        EXPECT_EQ(ask("GET", "/v1/emails?" + query).status, 400) << query;
    }
}

TEST_F(EmailRoutes, MailsAreCancelledOnceAndUnknownOnesAreNotFound) {
    ASSERT_EQ(ask("POST", "/v1/emails", mail_with_id(id_a)).status, 202);
    const auto path = "/v1/emails/" + std::string(id_a);
    EXPECT_EQ(ask("POST", path + "/retry").status, 409) << "it needs no help";
    EXPECT_EQ(ask("POST", path + "/resolve", R"({"as":"sent"})").status, 409);
    EXPECT_EQ(ask("POST", path + "/resolve", R"({"as":"lost"})").status, 400);
    const auto cancelled = ask("POST", path + "/cancel");
    EXPECT_EQ(cancelled.status, 200);
    EXPECT_EQ(text_at(cancelled, {"state"}), "CANCELLED");
    EXPECT_EQ(ask("POST", path + "/cancel").status, 409);
    const auto unknown = "/v1/emails/" + std::string(id_b);
    EXPECT_EQ(ask("GET", unknown).status, 404);
    EXPECT_EQ(ask("GET", unknown + "/raw").status, 404);
    for (const std::string action : {"cancel", "retry"}) {
        EXPECT_EQ(ask("POST", unknown + "/" + action).status, 404) << action;
    }
}

TEST_F(EmailRoutes, WhoMaySendMayNotReadAndTheOtherWayRound) {
    const auto sender = new_key({"send"}), reader = new_key({"read"});
    key_ = reader;
    EXPECT_EQ(ask("POST", "/v1/emails", mail()).status, 403);
    EXPECT_EQ(ask("GET", "/v1/keys").status, 403);
    key_ = sender;
    EXPECT_EQ(ask("POST", "/v1/emails", mail()).status, 202);
    EXPECT_EQ(ask("GET", "/v1/emails").status, 403);
}

}  // namespace
}  // namespace mailroom::api
