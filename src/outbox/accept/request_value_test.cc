#include "outbox/accept/request.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

const Time now = *parse_rfc3339("2025-11-20T10:00:00Z");

Request parsed(const std::string& text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    EXPECT_TRUE(view) << text;
    auto request = parse_request(*view, now);
    EXPECT_TRUE(request) << Error(request.error()).message << " in " << text;
    return request ? *std::move(request) : Request{};
}

TEST(RequestValue, ItsPayloadIsARequestThatReadsTheSame) {
    const char* cases[] = {
        R"({"from":"a@example.com","to":["b@example.org"],"subject":"Ciao","text":"x"})",
        R"({"id":"11111111-2222-4333-8444-555555555555",)"
        R"("from":"\"Lee, \\\"Ann\\\\\" <ann@example.com>",)"
        R"("to":["Bob Ünal <b@example.org>","\"b b\"@example.org"],"cc":["c@bücher.example"],)"
        R"("bcc":["d@example.org"],"reply_to":["R <r@example.org>"],"subject":"Größe \u0001\n",)"
        R"("text":"","html":"<p>\"x\"</p>","stream":"bulk","send_at":"2025-12-01T09:00:00.250Z",)"
        R"("callback_url":"https://example.com/x?y=z","tags":["a","b"],"metadata":{"k":[1,null]}})",
        R"({"from":"a@example.com","to":["b@example.org"],"template":{"subject":"s {{ n }}",)"
        R"("text":"t","html":"h"},"data":{"n":{"m":"\"x\""}},"headers":{"X-A":"1","x-\"b":"2"},)"
        R"("attachments":[{"filename":"n.txt","content_type":"text/plain","content_id":"c",)"
        R"("content":"AAEC/w=="},{"path":"sub/file.pdf"},{"url":"https://example.com/f.pdf"}]})",
    };
    for (const auto* text : cases) {
        const auto request = parsed(text);
        EXPECT_FALSE(fault_of(request, now)) << Error(*fault_of(request, now)).message;
        const auto payload = payload_of(request);
        const auto again = parsed(payload);
        EXPECT_EQ(payload_of(again), payload);
        EXPECT_EQ(again.from, request.from);
        EXPECT_EQ(again.to, request.to);
        EXPECT_EQ(again.cc, request.cc);
        EXPECT_EQ(again.subject, request.subject);
        EXPECT_EQ(again.send_at, request.send_at);
        EXPECT_EQ(again.metadata, request.metadata);
        EXPECT_EQ(again.data, request.data);
        ASSERT_EQ(again.attachments.size(), request.attachments.size());
        for (std::size_t i = 0; i < again.attachments.size(); ++i) {
            EXPECT_EQ(again.attachments[i].kind, request.attachments[i].kind);
            EXPECT_EQ(again.attachments[i].value, request.attachments[i].value);
        }
    }
}

TEST(RequestValue, WhatNoRequestMayHoldIsRefusedByName) {
    const auto good =
        parsed(R"({"from":"a@example.com","to":["b@example.org"],"subject":"Ciao","text":"x"})");
    struct Case {
        const char* field;
        std::function<void(Request&)> spoil;
    };
    const Case cases[] = {
        {"from", [](Request& r) { r.from = {}; }},
        {"to", [](Request& r) { r.to.clear(); }},
        {"to", [](Request& r) { r.to.assign(recipients_max + 1, r.to.front()); }},
        {"to", [](Request& r) { r.cc.assign(recipients_max, r.to.front()); }},
        {"to[0]", [](Request& r) { r.to[0].domain = "localhost"; }},
        {"to[0]", [](Request& r) { r.to[0].local_part = "x\r\nBcc"; }},
        {"to[0]", [](Request& r) { r.to[0].display_name = "\xff"; }},
        {"reply_to", [](Request& r) { r.reply_to.assign(reply_to_max + 1, r.from); }},
        {"subject", [](Request& r) { r.subject.clear(); }},
        {"subject", [](Request& r) { r.subject.assign(subject_bytes_max + 1, 'x'); }},
        {"subject", [](Request& r) { r.subject = "\xff"; }},
        {"text", [](Request& r) { r.text.reset(); }},
        {"text", [](Request& r) { r.text = "\xc3"; }},
        {"data", [](Request& r) { r.data = "{}"; }},
        {"data", [](Request& r) { r.source.emplace().text = "t", r.data = "{"; }},
        {"metadata", [](Request& r) { r.metadata = "[]"; }},
        {"metadata", [](Request& r) { r.metadata = "{\"a\":\"" + std::string(9000, 'x') + "\"}"; }},
        {"tags", [](Request& r) { r.tags.assign(tags_max + 1, "t"); }},
        {"tags[0]", [](Request& r) { r.tags = {"a\nb"}; }},
        {"callback_url", [](Request& r) { r.callback_url = "ftp://example.com/"; }},
        {"send_at", [](Request& r) { r.send_at = now + std::chrono::hours(24 * 400); }},
        {"attachments[0].path",
         [](Request& r) {
             r.attachments = {{AttachmentSource::Kind::path, "../x", {}, {}, {}}};
         }},
        {"attachments[0].url",
         [](Request& r) {
             r.attachments = {{AttachmentSource::Kind::url, "x", {}, {}, {}}};
         }},
        {"headers.X-A",
         [](Request& r) {
             r.headers = {{"X-A", std::string(20'000, 'x')}};
         }},
    };
    for (const auto& c : cases) {
        auto request = good;
        c.spoil(request);
        const auto fault = fault_of(request, now);
        ASSERT_TRUE(fault) << c.field;
        EXPECT_EQ(fault->field, c.field) << fault->why;
    }
}

}  // namespace
}  // namespace mailroom::outbox
