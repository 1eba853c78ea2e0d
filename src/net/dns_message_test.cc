#include "net/dns_message.h"

#include "net/scripted_dns_server.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

using namespace std::string_literals;

constexpr unsigned a = 1, cname = 5, soa = 6, mx = 15, txt = 16;
const DnsQuery query{1, "n.example", mx, false};
const std::string to_name = "\xc0\x0c"s;  // A pointer to the name of the question.

std::string raw_record(const std::string& owner, unsigned type, const std::string& data) {
    return owner + wire16(type) + wire16(1) + wire32(60) +
           wire16(static_cast<unsigned>(data.size())) + data;
}

// The hosts, in order, with their preferences; or what is wrong.
std::string mail_hosts(const std::string& message) {
    const auto parsed = parse_dns_answer(message, "n.example", RecordType::mx);
    if (!parsed) return "corrupt";
    std::string text;
    for (const auto& host : parsed->mail_hosts) {
        text += (text.empty() ? "" : " ") + std::to_string(host.preference) + ":" + host.name;
    }
    return text + (parsed->has_unusable ? "!" : "");
}

TEST(DnsMessage, NamesAreFollowedBackwardsOnlyAndMustBeHostNames) {
    // The record's data begins here: header, question, a pointer and ten bytes.
    const unsigned data_at = 12 + 11 + 4 + 2 + 10;
    const auto pointer = [](unsigned to) { return wire16(0xc000 | to); };
    struct Case {
        const char* name;
        std::string host;
        const char* want;
    };
    const Case cases[] = {
        {"plain", wire_name("mail.example"), "7:mail.example"},
        {"upper case", wire_name("MAIL.Example"), "7:mail.example"},
        {"pointer", "\x04mail" + to_name, "7:mail.n.example"},
        {"into a name", "\x04mail" + pointer(14), "7:mail.example"},
        {"root", "\0"s, "7:"},
        {"to itself", pointer(data_at + 2), "!"},
        {"forwards", pointer(data_at + 9), "!"},
        {"in a circle", "\x01x" + pointer(data_at + 2), "!"},
        {"past the end", pointer(0x3fff), "!"},
        {"cut off", "\x04mai", "!"},
        {"no end", "\x04mail", "!"},
        {"unused form", "\x44mail\0"s, "!"},
        {"space", wire_name("mail host.example"), "!"},
        {"dot in a label", "\x09mail.host\0"s, "!"},
        {"zero in a label", "\x09mail\0host\0"s, "!"},
        {"quote", wire_name("mail\".example"), "!"},
        {"non-ASCII", wire_name("m\xc3\xa4il.example"), "!"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto record = raw_record(to_name, mx, wire16(7) + c.host);
        EXPECT_EQ(mail_hosts(dns_answer(query, 0, {record})), c.want);
    }
    std::string longest;
    for (int i = 0; i < 130; ++i) longest += "\x01x";
    const auto record = raw_record(to_name, mx, wire16(7) + longest + '\0');
    EXPECT_EQ(mail_hosts(dns_answer(query, 0, {record})), "!");
}

TEST(DnsMessage, EveryShorterFormOfAMessageIsRefused) {
    const auto whole = dns_answer(query, 0, {wire_record("n.example", mx, 60, wire_mx(1, "a.b"))});
    EXPECT_EQ(mail_hosts(whole), "1:a.b");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_EQ(mail_hosts(whole.substr(0, size)), "corrupt") << size;
    }
}

TEST(DnsMessage, OnlyRecordsOfTheNameAndTypeCount) {
    const auto record = wire_record("n.example", mx, 60, wire_mx(1, "a.b"));
    auto other_class = record;
    other_class[wire_name("n.example").size() + 3] = 3;
    EXPECT_EQ(mail_hosts(dns_answer(query, 0,
                                    {wire_record("o.example", mx, 60, wire_mx(2, "c.d")),
                                     wire_record("n.example", a, 60, "\1\2\3\4"s), other_class,
                                     wire_record("n.example", txt, 60, "\1x"s), record})),
              "1:a.b");
    EXPECT_EQ(mail_hosts(dns_answer(query, 0, {}, {record})), "") << "not in the answer section";
}

TEST(DnsMessage, LongChainsAndManyRecordsAreRefused) {
    std::vector<std::string> chain;
    std::string at = "n.example";
    for (int i = 0; i < 40; ++i) {
        const auto next = "n" + std::to_string(i) + ".example";
        chain.push_back(wire_record(at, cname, 60, wire_name(next)));
        at = next;
    }
    EXPECT_EQ(mail_hosts(dns_answer(query, 0, chain)), "corrupt");
    const std::vector<std::string> many(1001, wire_record("n.example", mx, 60, wire_mx(1, "a.b")));
    EXPECT_EQ(mail_hosts(dns_answer(query, 0, many)), "corrupt");
    const std::vector<std::string> fewer(1000, many[0]);
    const auto parsed = parse_dns_answer(dns_answer(query, 0, fewer), "n.example", RecordType::mx);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->mail_hosts.size(), records_max);
}

TEST(DnsMessage, ABrokenAuthorityOnlyCostsTheTime) {
    const auto soa_record = wire_record("example", soa, 60, wire_soa(30).substr(0, 20));
    const auto parsed =
        parse_dns_answer(dns_answer(query, 3, {}, {soa_record}), "n.example", RecordType::mx);
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(parsed->empty());
    EXPECT_EQ(parsed->ttl_seconds, std::nullopt);
}

}  // namespace
}  // namespace mailroom::net
