#include "outbox/accept/request.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

const Time now = *parse_rfc3339("2026-11-15T12:00:00Z");

mailroom::Answer<Request> parse(std::string_view text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    EXPECT_TRUE(view) << text;
    return parse_request(*view, now);
}

// A good request with one more member.
std::string with(std::string_view member) {
    return R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao","text":"x",)" +
           std::string(member) + "}";
}

std::string list_of(std::size_t count, std::string_view element) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ',';
        text += element;
    }
    return text + "]";
}

TEST(ParseRequest, ReadsEveryMember) {
    const auto got = parse(R"({
        "id": "11111111-2222-4333-8444-555555555555",
        "from": "Ann Lee <ann@example.com>", "to": ["b@example.org", "Cé <c@exämple.org>"],
        "cc": "d@example.org", "bcc": ["e@example.org"], "reply_to": "f@example.org",
        "subject": "Ciao", "text": "x", "html": "<p>x</p>",
        "template": {"html": "<p>{{ name }}</p>"}, 
        "data": {"name": "Ann", "n": [1, 2.5, null, true]},
        "attachments": [{"filename": "a.txt", "content": "aGVs\r\nbG8="},
                        {"path": "/d/doc.pdf", "content_type": "application/pdf"},
                        {"url": "https://example.com/i.png", "content_id": "logo"}],
        "headers": {"X-Camp": "7"}, "stream": "bulk", "send_at": "2026-11-16T13:00:00+01:00",
        "callback_url": "https://example.com/hook", "tags": ["a", "b"],
        "metadata": {"order": "42"}})");
    ASSERT_TRUE(got) << got.error().text();
    EXPECT_EQ(got->id, "11111111-2222-4333-8444-555555555555");
    EXPECT_EQ(got->from, (mime::Mailbox{"Ann Lee", "ann", "example.com"}));
    ASSERT_EQ(got->to.size(), 2u);
    EXPECT_EQ(got->to[1].display_name, "Cé");
    EXPECT_EQ(got->cc.size(), 1u);
    EXPECT_EQ(got->bcc.size(), 1u);
    EXPECT_EQ(got->reply_to.size(), 1u);
    EXPECT_EQ(got->subject, "Ciao");
    EXPECT_EQ(got->text, "x");
    EXPECT_EQ(got->html, "<p>x</p>");
    EXPECT_EQ(got->source->html, "<p>{{ name }}</p>");
    EXPECT_FALSE(got->source->subject);
    EXPECT_EQ(got->data, R"({"name":"Ann","n":[1,2.5,null,true]})");
    ASSERT_EQ(got->attachments.size(), 3u);
    EXPECT_EQ(got->attachments[0].value, "hello");
    EXPECT_EQ(got->attachments[1].kind, AttachmentSource::Kind::path);
    EXPECT_EQ(got->attachments[2].kind, AttachmentSource::Kind::url);
    EXPECT_EQ(got->attachments[2].content_id, "logo");
    ASSERT_EQ(got->headers.size(), 1u);
    EXPECT_EQ(got->headers[0].name, "X-Camp");
    EXPECT_EQ(got->stream, Stream::bulk);
    EXPECT_EQ(got->send_at, *parse_rfc3339("2026-11-16T12:00:00Z"));
    EXPECT_EQ(got->callback_url, "https://example.com/hook");
    EXPECT_EQ(got->tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(got->metadata, R"({"order":"42"})");
    EXPECT_TRUE(got->needs_fetching());
}

TEST(ParseRequest, TakesTheLeastAndWhatIsNull) {
    const auto least = parse(with(R"("cc":null,"attachments":null,"headers":null)"));
    ASSERT_TRUE(least);
    EXPECT_FALSE(least->id);
    EXPECT_EQ(least->stream, Stream::transactional);
    EXPECT_FALSE(least->needs_fetching());
    EXPECT_TRUE(parse(R"({"from":"a@example.com","bcc":"b@example.org",
                          "template":{"subject":"s","text":"t"}})"));
    EXPECT_TRUE(parse(with(R"("send_at":"2020-01-01T00:00:00Z")")));
    EXPECT_TRUE(parse(with(R"("attachments":[{"content":""}])")));
    EXPECT_TRUE(parse(with(R"("metadata":{})")));
}

TEST(ParseRequest, RefusesByTheNameOfTheField) {
    struct Case {
        std::string text;
        std::string_view field, why;  // `why` is how it begins.
    };
    const std::string rest = R"("subject":"s","text":"x")";
    // clang-format off
    const Case cases[] = {
        {R"([])", "the mail", "must be an object"},
        {R"({"to":"b@example.org",)" + rest + "}", "from", "is missing"},
        {R"({"from":"a@example.com",)" + rest + "}", "to", "must name at least one"},
        {R"({"from":"a@example.com","to":[],)" + rest + "}", "to", "must name at least one"},
        {R"({"from":"a@example.com","to":"b@example.org","text":"x"})", "subject", "is missing"},
        {R"({"from":"a@example.com","to":"b@example.org","subject":"","text":"x"})", "subject", "is missing"},
        {R"({"from":"a@example.com","to":"b@example.org","subject":"s"})", "text", "is missing: give"},
        {R"({"from":"a@example.com","to":"b@example.org","subject":"s","template":{"subject":"t"}})", "text", "is missing: give"},
        {with(R"("id":5)"), "id", "must be a string"},
        {with(R"("id":"11111111-2222-4333-8444-55555555555A")"), "id", "must be a UUID"},
        {with(R"("id":"1111111112222-4333-8444-555555555555")"), "id", "must be a UUID"},
        {with(R"("id":"")"), "id", "must be a UUID"},
        {R"({"from":["a@example.com"],"to":"b@example.org",)" + rest + "}", "from", "must be a string"},
        {R"({"from":"a@localhost","to":"b@example.org",)" + rest + "}", "from", "must be an e-mail address whose"},
        {R"({"from":"a@example.com","to":["b@example.org","nobody"],)" + rest + "}", "to[1]", "must be an e-mail address"},
        {R"({"from":"a@example.com","to":"b@localhost",)" + rest + "}", "to", "must be an e-mail address whose"},
        {R"({"from":"a@example.com","to":"b@[192.0.2.1]",)" + rest + "}", "to", "must be an e-mail address whose"},
        {R"({"from":"a@example.com","to":"b@example.org, c@example.org",)" + rest + "}", "to", "must be an e-mail address"},
        {R"({"from":"a@example.com","to":"all: b@example.org;",)" + rest + "}", "to", "must be an e-mail address"},
        {R"({"from":"a@example.com","to":"b@example.org\r\nBcc: x@example.org",)" + rest + "}", "to", "must be an e-mail address"},
        {R"({"from":"a@example.com","to":{"a":1},)" + rest + "}", "to", "must be an e-mail address or a list"},
        {with(R"("cc":["c@example.org",7])"), "cc[1]", "must be a string"},
        {with(R"("cc":)" + list_of(1000, R"("c@example.org")")), "to", "has, with cc and bcc, more than 1000"},
        {with(R"("bcc":)" + list_of(1001, R"("c@example.org")")), "bcc", "has more than 1000"},
        {with(R"("reply_to":)" + list_of(21, R"("c@example.org")")), "reply_to", "has more than 20"},
        {with(R"("html":5)"), "html", "must be a string"},
        {with(R"("to":"b@example.org")"), "to", "is there twice"},
        {with(R"("sujbect":"x")"), "sujbect", "is not known; did you mean subject?"},
        {with(R"("something":"x")"), "something", "is not known"},
        {with(R"("template":"x")"), "template", "must be an object"},
        {with(R"("template":{})"), "template", "must have one of"},
        {with(R"("template":{"html":7})"), "template.html", "must be a string"},
        {with(R"("template":{"htm":"x"})"), "template.htm", "is not known; did you mean html?"},
        {with(R"("template":{"html":")" + std::string(1024 * 1024 + 1, 'x') + "\"}"), "template.html", "is longer than"},
        {with(R"("data":{"a":1})"), "data", "is of no use without a template"},
        {with(R"("template":{"html":"x"},"data":[1])"), "data", "must be an object"},
        {with(R"("attachments":{})"), "attachments", "must be a list"},
        {with(R"("attachments":["/d/doc.pdf"])"), "attachments[0]", "must be an object"},
        {with(R"("attachments":[{"content":"aGk="},{"filename":"x"}])"), "attachments[1]", "must have one of content, path and url"},
        {with(R"("attachments":[{"content":"aGk=","path":"/x"}])"), "attachments[0]", "must have one of"},
        {with(R"("attachments":[{"content":"a!"}])"), "attachments[0].content", "must be base64"},
        {with(R"("attachments":[{"content":"aGk"}])"), "attachments[0].content", "must be base64"},
        {with(R"("attachments":[{"content":7}])"), "attachments[0].content", "must be a string"},
        {with(R"("attachments":[{"path":"../x"}])"), "attachments[0].path", "must not have \"..\""},
        {with(R"("attachments":[{"path":"a\u0000b"}])"), "attachments[0].path", "has a NUL"},
        {with(R"("attachments":[{"path":""}])"), "attachments[0].path", "must name a file"},
        {with(R"("attachments":[{"url":"ftp://example.com/x"}])"), "attachments[0].url", "must be an http or https URL"},
        {with(R"("attachments":[{"url":"https://u:p@example.com/x"}])"), "attachments[0].url", "must be an http or https URL"},
        {with(R"("attachments":)" + list_of(101, R"({"content":""})")), "attachments", "has more than 100"},
        {with(R"("attachments":[{"contents":""}])"), "attachments[0].contents", "is not known; did you mean content?"},
        {with(R"("headers":[])"), "headers", "must be an object"},
        {with(R"("headers":{"X-A":1})"), "headers.X-A", "must be a string"},
        {with(R"("stream":"fast")"), "stream", "must be transactional or bulk"},
        {with(R"("send_at":"tomorrow")"), "send_at", "must be a time"},
        {with(R"("send_at":1763200000)"), "send_at", "must be a string"},
        {with(R"("send_at":"2027-12-15T12:00:00Z")"), "send_at", "is more than a year ahead"},
        {with(R"("callback_url":"/hook")"), "callback_url", "must be an http or https URL"},
        {with(R"("callback_url":"https://u:p@example.com/")"), "callback_url", "must be an http or https URL"},
        {with(R"("tags":"a")"), "tags", "must be a list"},
        {with(R"("tags":["a",""])"), "tags[1]", "is empty"},
        {with(R"("tags":["a\nb"])"), "tags[0]", "has a control character"},
        {with(R"("tags":[")" + std::string(65, 'a') + "\"]"), "tags[0]", "is longer than 64"},
        {with(R"("tags":)" + list_of(11, R"("a")")), "tags", "has more than 10"},
        {with(R"("metadata":"x")"), "metadata", "must be an object"},
        {with(R"("metadata":{"a":")" + std::string(8192, 'x') + "\"}"), "metadata", "is longer than 8192"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text.substr(0, 200));
        const auto got = parse(c.text);
        ASSERT_FALSE(got);
        ASSERT_EQ(got.error().fields.size(), 1u) << got.error().text();
        const auto& bad = got.error().fields.front();
        EXPECT_EQ(bad.field, c.field);
        EXPECT_TRUE(bad.why.starts_with(c.why)) << bad.why;
        EXPECT_EQ(Error(got.error()).message, bad.field + " " + bad.why);
    }
}

TEST(ParseRequest, RefusesASubjectLongerThanALine) {
    const auto text = R"({"from":"a@example.com","to":"b@example.org","text":"x","subject":")";
    EXPECT_TRUE(parse(text + std::string(998, 'x') + "\"}"));
    const auto got = parse(text + std::string(999, 'x') + "\"}");
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().fields.front().field, "subject");
}

TEST(ParseRequest, NamesAllThatIsWrongAtOnce) {
    const auto names = [](std::string_view text) {
        std::string all;
        const auto got = parse(text);
        if (got) return all;
        for (const auto& bad : got.error().fields) all += (all.empty() ? "" : " ") + bad.field;
        return all;
    };
    EXPECT_EQ(names("{}"), "from to subject text");
    EXPECT_EQ(
        names(R"({"colour":1,"from":"x","to":["a@example.org","y",7],"cc":"z","stream":"s"})"),
        "colour from to[1] to[2] cc stream subject text");
    EXPECT_EQ(names(with(R"("attachments":[{"content":"!","path":7},{},{"colour":1}],)"
                         R"("tags":["",7,"a"],"headers":{"A":1,"B":2},"template":{"txt":1})")),
              "attachments[0].content attachments[0].path attachments[1] attachments[2].colour "
              "tags[0] tags[1] headers.A headers.B template.txt");
    // What is wrong is not missing, too.
    EXPECT_EQ(names(R"({"from":7,"to":7,"subject":7,"text":7})"), "from to subject text");
}

TEST(ParseRequest, NamesAHundredOfManyFaults) {
    const auto got = parse(with(R"("cc":)" + list_of(900, "7")));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().fields.size(), 100u);
}

TEST(ParseRequest, RefusesUnknownMembersWithoutShowingAllOfALongName) {
    const auto got = parse(with("\"" + std::string(100'000, 'x') + "\":1"));
    ASSERT_FALSE(got);
    EXPECT_LT(got.error().fields.front().field.size(), 100u);
}

}  // namespace
}  // namespace mailroom::outbox
