#include "api/native_for_tests.h"

namespace mailroom::api {
namespace {

class OtherRoutes : public NativeTest {
protected:
    static bool has(const Response& response, std::string_view text) {
        return response.body.find(text) != std::string::npos;
    }
    std::string post_mail(std::string_view more) {
        const auto posted = ask("POST", "/v1/emails",
                                R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao")" +
                                    std::string(more) + "}");
        EXPECT_EQ(posted.status, 202) << posted.body;
        return posted.body.substr(7, 36);
    }
};

TEST_F(OtherRoutes, KeysAreMadeListedAndRevokedWhileServing) {
    key_ = new_key({"admin"});
    const auto made = ask("POST", "/v1/keys", R"({"name":"billing","scopes":["send"]})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto id = made.body.substr(7, ulid_chars);
    const auto listed = ask("GET", "/v1/keys");
    EXPECT_TRUE(has(listed, id));
    EXPECT_FALSE(has(listed, "mr_")) << "the secret is shown once";
    EXPECT_EQ(ask("DELETE", "/v1/keys/" + id).status, 204);
    EXPECT_EQ(ask("DELETE", "/v1/keys/" + id).status, 404);
    const auto refused = ask("POST", "/v1/keys", R"({"name":"x","scopes":["outbox:read"]})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_TRUE(has(refused, "send, read, admin, reminders:read")) << refused.body;
    for (const std::string body : {"{}", R"({"name":"x"})", R"({"name":7,"scopes":[]})",
                                   R"({"name":"x","scopes":[7]})", R"({"name":"x","scope":[]})"}) {
        EXPECT_EQ(ask("POST", "/v1/keys", body).status, 400) << body;
    }
}

TEST_F(OtherRoutes, SuppressionsAreAddedFoundAndRemoved) {
    const auto added =
        ask("POST", "/v1/suppressions", R"({"address":"Bob@Example.org","reason":"complaint"})");
    ASSERT_EQ(added.status, 201) << added.body;
    EXPECT_TRUE(has(added, R"("stream":null,"reason":"complaint")")) << added.body;
    EXPECT_EQ(ask("GET", "/v1/suppressions/bob@example.org").status, 200);
    EXPECT_TRUE(has(ask("GET", "/v1/suppressions"), "Bob@Example.org"));
    EXPECT_EQ(ask("DELETE", "/v1/suppressions/bob%40example.org").status, 204);
    EXPECT_EQ(ask("DELETE", "/v1/suppressions/bob@example.org").status, 404);
    EXPECT_EQ(ask("GET", "/v1/suppressions/bob@example.org").status, 404);
    for (const std::string body :
         {"{}", R"({"address":"nobody"})", R"({"address":"b@example.org","stream":"x"})",
          R"({"address":"b@example.org","why":"x"})"}) {
        EXPECT_EQ(ask("POST", "/v1/suppressions", body).status, 400) << body;
    }
}

TEST_F(OtherRoutes, StatsCountByState) {
    post_mail(R"(,"text":"x")");
    clock_.advance(std::chrono::seconds(10));
    const auto stats = ask("GET", "/v1/outbox/stats");
    ASSERT_EQ(stats.status, 200) << stats.body;
    EXPECT_TRUE(has(stats, R"("READY":1)")) << stats.body;
    EXPECT_TRUE(has(stats, R"("waiting":1,"held":0)")) << stats.body;
    EXPECT_TRUE(has(stats, R"("age_seconds":10)")) << stats.body;
}

TEST_F(OtherRoutes, RatesAreThoseOfTheLastMinute) {
    watch_->sample();
    for (int i = 0; i < 5; ++i) post_mail(R"(,"text":"x")");
    clock_.advance(std::chrono::seconds(10));
    watch_->sample();
    EXPECT_DOUBLE_EQ(watch_->rates().accepted_per_second, 0.5);
    EXPECT_DOUBLE_EQ(watch_->rates().sent_per_second, 0);
    for (int i = 0; i < 13; ++i) {
        clock_.advance(std::chrono::seconds(5));
        watch_->sample();
    }
    EXPECT_DOUBLE_EQ(watch_->rates().accepted_per_second, 0);
}

TEST_F(OtherRoutes, WhatIsForAdminsIsRefusedToOthers) {
    EXPECT_EQ(ask("GET", "/v1/outbox/callback-secret").status, 403);
    EXPECT_EQ(ask("GET", "/v1/outbox/dead").status, 403);
    key_ = new_key({"admin"});
    EXPECT_TRUE(has(ask("GET", "/v1/outbox/callback-secret"), "whsec_dGVzdA=="));
    EXPECT_TRUE(has(ask("GET", "/v1/outbox/dead"), R"("items":[])"));
    EXPECT_EQ(ask("GET", "/v1/outbox/dead?queue=nothing").status, 400);
    EXPECT_EQ(ask("POST", "/v1/outbox/dead/retry",
                  R"({"queue":"outbox.callback","place":"001794721884123#x"})")
                  .status,
              404);
    EXPECT_EQ(ask("POST", "/v1/outbox/dead/retry", R"({"queue":"x","place":"y"})").status, 400);
}

TEST_F(OtherRoutes, ACapturedMailIsShownWithoutWhatCouldHarm) {
    const auto id = post_mail(R"(,"html":"<p>Hi<script>alert(1)</script></p>")");
    bool done = false;
    captured_->send({id, "a@example.com", {"b@example.org"}, "Subject: Ciao\r\n\r\n", false},
                    [&](smtp::Delivery) { done = true; });
    ASSERT_TRUE(done);
    const auto listed = ask("GET", "/v1/captured");
    EXPECT_TRUE(has(listed, id)) << listed.body;
    const auto shown = ask("GET", "/v1/captured/" + id);
    ASSERT_EQ(shown.status, 200) << shown.body;
    EXPECT_TRUE(has(shown, R"("subject":"Ciao")")) << shown.body;
    EXPECT_TRUE(has(shown, "Hi"));
    EXPECT_FALSE(has(shown, "script"));
    EXPECT_EQ(ask("GET", "/v1/captured/unknown").status, 404);
}

TEST_F(OtherRoutes, CapturedMailsAreFoundByWords) {
    const auto id = post_mail(R"(,"text":"x")");
    captured_->send({id, "a@example.com", {"Bea@example.org"}, "Subject: Ciao\r\n\r\n", false},
                    [](smtp::Delivery) {});
    for (const std::string words : {"ciao", "bea%40", "A%40EXAMPLE", ""}) {
        EXPECT_TRUE(has(ask("GET", "/v1/captured?q=" + words), id)) << words;
    }
    EXPECT_FALSE(has(ask("GET", "/v1/captured?q=arrivederci"), id));
}

TEST_F(OtherRoutes, AttachmentsOfACapturedMailAreForSavingOnly) {
    const auto id =
        post_mail(R"(,"text":"x","attachments":[{"filename":"a.html","content":"PGI+aGk8L2I+"}])");
    const auto file = ask("GET", "/v1/captured/" + id + "/attachments/1");
    ASSERT_EQ(file.status, 200) << file.body;
    EXPECT_EQ(file.body, "<b>hi</b>");
    EXPECT_EQ(file.content_type, "application/octet-stream");
    EXPECT_EQ(file.headers.front(), Header("Content-Disposition", "attachment"));
    for (const std::string number : {"0", "2", "-1", "01", "x"}) {
        EXPECT_EQ(ask("GET", "/v1/captured/" + id + "/attachments/" + number).status, 404);
    }
    EXPECT_EQ(ask("GET", "/v1/captured/unknown/attachments/1").status, 404);
}

TEST_F(OtherRoutes, ThePageForPeopleNeedsNoKeyAndRunsOnlyItsOwnScript) {
    key_ = "nobody";
    for (const std::string path : {"/", "/captured.js", "/captured.css"}) {
        const auto part = ask("GET", path);
        EXPECT_EQ(part.status, 200) << path;
        ASSERT_FALSE(part.headers.empty());
        EXPECT_EQ(part.headers.front().first, "Content-Security-Policy");
    }
    EXPECT_FALSE(has(ask("GET", "/"), "<script>")) << "no script inside";
}

}  // namespace
}  // namespace mailroom::api
