#include "http/request_parser.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::http {
namespace {

using Outcome = RequestParser::Outcome;

constexpr std::size_t small_header_bytes = 512;
constexpr std::size_t small_body_bytes = 32;

// Takes no body under /small beyond 4 bytes.
class Picky : public Handler {
public:
    void handle(Request, Reply) override {}
    std::size_t body_bytes_max(const Request& head) const override {
        return head.target == "/small" ? 4 : SIZE_MAX;
    }
};

struct Got {
    Outcome outcome = Outcome::need_more;
    int status = 0;    // Of a refusal.
    std::string text;  // `METHOD target [Name=value …] body` of a request.
    std::size_t unused = 0;
};

std::string text_of(const Request& request) {
    std::string text = request.method + " " + request.target + " [";
    for (const auto& [name, value] : request.headers) text += name + "=" + value + ";";
    return text + "] " + request.body;
}

// Feeds `bytes` in pieces of `piece_bytes`, giving again what was not taken.
Got parse(std::string_view bytes, std::size_t piece_bytes) {
    const Limits limits{.header_bytes_max = small_header_bytes,
                        .header_fields_max = 8,
                        .body_bytes_max = small_body_bytes};
    const Picky handler;
    RequestParser parser(limits, handler);
    Got got;
    std::string pending;
    while (!bytes.empty() && got.outcome == Outcome::need_more) {
        const auto piece = bytes.substr(0, piece_bytes);
        bytes.remove_prefix(piece.size());
        pending += piece;
        std::size_t used = 0;
        got.outcome = parser.put(pending, used);
        EXPECT_LE(used, pending.size());
        pending.erase(0, used);
    }
    got.unused = pending.size() + bytes.size();
    if (got.outcome == Outcome::complete) got.text = text_of(parser.take());
    if (got.outcome == Outcome::refused) got.status = parser.refused_status();
    return got;
}

TEST(RequestParser, ReadsTheSameRequestHoweverItsBytesArrive) {
    struct Case {
        std::string_view name, input, want;
        std::size_t unused = 0;
    };
    const Case cases[] = {
        {"no body", "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a?b=c [Host=h;] "},
        {"no host in 1.0", "GET / HTTP/1.0\r\n\r\n", "GET / [] "},
        {"length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
         "POST / [Host=h;Content-Length=3;] abc"},
        {"length zero", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
         "POST / [Host=h;Content-Length=0;] "},
        {"same length twice",
         "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
         "POST / [Host=h;Content-Length=1;Content-Length=1;] x"},
        {"chunked",
         "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
         "chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
         "POST / [Host=h;Transfer-Encoding=chunked;] abc0123456789"},
        {"empty chunked",
         "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
         "POST / [Host=h;Transfer-Encoding=Chunked;] "},
        {"chunk extension and trailer",
         "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
         "chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nAuthorization: forged\r\n\r\n",
         "POST / [Host=h;Transfer-Encoding=chunked;] x"},
        {"empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / [Host=h;] "},
        {"folded value", "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
         "GET / [Host=h;X=a b;] "},
        {"spaces around a value", "GET / HTTP/1.1\r\nHost:   h  \r\n\r\n", "GET / [Host=h;] "},
        {"method of our own", "PURGE / HTTP/1.1\r\nHost: h\r\n\r\n", "PURGE / [Host=h;] "},
        {"absolute target", "GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n",
         "GET http://h/x [Host=h;] "},
        {"body at the handler's limit",
         "POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd",
         "POST /small [Host=h;Content-Length=4;] abcd"},
    };
    for (const auto& c : cases) {
        for (std::size_t piece = 1; piece <= c.input.size(); ++piece) {
            SCOPED_TRACE(std::string(c.name) + " in pieces of " + std::to_string(piece));
            const auto got = parse(c.input, piece);
            EXPECT_EQ(got.text, c.want);
            EXPECT_EQ(got.unused, 0u);
        }
    }
}

TEST(RequestParser, TakesNoByteOfTheNextRequest) {
    const std::string_view two =
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nxGET /b HTTP/1.1\r\n";
    const auto got = parse(two, two.size());
    EXPECT_EQ(got.outcome, Outcome::complete);
    EXPECT_EQ(got.unused, std::string_view("GET /b HTTP/1.1\r\n").size());
}

TEST(RequestParser, RefusesWhatIsMalformedAmbiguousOrTooLarge) {
    struct Case {
        std::string_view name;
        std::string input;
        int status;
    };
    const std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
    const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
    std::string many_fields = post;
    for (int i = 0; i < 8; ++i) many_fields += "X: y\r\n";
    const Case cases[] = {
        {"no HTTP at all", "hello\r\n\r\n", 400},
        {"TLS", std::string("\x16\x03\x01\x02\x00\x01", 6), 400},
        {"bad method", "G@T / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"no target", "GET HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
        {"bare LF", "GET / HTTP/1.1\nHost: h\n\n", 400},
        {"space before colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
        {"NUL in a value", std::string("GET / HTTP/1.1\r\nHost: h\0\r\n\r\n", 28), 400},
        {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        {"length and chunked", post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"chunked and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
         400},
        {"two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
        {"two lengths in a list", post + "Content-Length: 1, 2\r\n\r\n", 400},
        {"negative length", post + "Content-Length: -1\r\n\r\n", 400},
        {"signed length", post + "Content-Length: +1\r\n\r\n", 400},
        {"hexadecimal length", post + "Content-Length: 0x1\r\n\r\n", 400},
        {"length past 64 bits", post + "Content-Length: 18446744073709551617\r\n\r\n", 400},
        {"empty length", post + "Content-Length: \r\n\r\n", 400},
        {"chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"gzip", post + "Transfer-Encoding: gzip\r\n\r\n", 501},
        {"gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
        {"chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n", 501},
        {"bad chunk size", chunked + "xyz\r\nabc\r\n0\r\n\r\n", 400},
        {"chunk size past 64 bits", chunked + "11111111111111111\r\nabc", 400},
        {"chunk without its end", chunked + "1\r\nabc\r\n0\r\n\r\n", 400},
        {"other expectation", post + "Expect: miracle\r\n\r\n", 417},
        {"long line", "GET /" + std::string(small_header_bytes, 'a') + " HTTP/1.1\r\n", 431},
        {"long field", post + "X: " + std::string(small_header_bytes, 'a') + "\r\n\r\n", 431},
        {"too many fields", many_fields + "\r\n", 431},
        {"long chunk line", chunked + "1;" + std::string(small_header_bytes + 9, 'a'), 431},
        {"long trailer", chunked + "0\r\nX: " + std::string(small_header_bytes, 'a') + "\r\n", 431},
        {"long body", post + "Content-Length: 33\r\n\r\n", 413},
        {"long chunk", chunked + "21\r\n0123", 413},
        {"long sum of chunks", chunked + "10\r\n0123456789abcdef\r\n11\r\n0123", 413},
        {"chunk of 2^64-1", chunked + "FFFFFFFFFFFFFFFF\r\n0123", 413},
        {"body the handler does not take",
         "POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n", 413},
        {"chunk the handler does not take",
         "POST /small HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0123", 413},
    };
    for (const auto& c : cases) {
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, c.input.size()}) {
            SCOPED_TRACE(std::string(c.name) + " in pieces of " + std::to_string(piece));
            const auto got = parse(c.input, piece);
            EXPECT_EQ(got.outcome, Outcome::refused) << got.text;
            EXPECT_EQ(got.status, c.status);
        }
    }
}

TEST(RequestParser, BoundsAHeaderThatComesFieldByField) {
    std::string input = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 0; i < 5; ++i) input += "X: " + std::string(150, 'a') + "\r\n";
    EXPECT_EQ(parse(input, 160).status, 431);
}

TEST(RequestParser, SurvivesDamagedRequestsInAnyPieces) {
    const std::string_view sound[] = {
        "POST /small HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
        "chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nT: "
        "v\r\n\r\n",
    };
    SeededRandom random(20261115);
    const auto pick = [&random](std::size_t below) {
        std::uint8_t bytes[2];
        random.fill(bytes);
        return (bytes[0] * 256u + bytes[1]) % below;
    };
    constexpr std::string_view spice("\r\n\0 :;,0fF\x80\xff\t\"", 14);
    for (int round = 0; round < 20'000; ++round) {
        std::string input(sound[pick(2)]);
        for (auto edits = pick(4); edits > 0; --edits) {
            const auto at = pick(input.size());
            if (pick(2) == 0) {
                input[at] = spice[pick(spice.size())];
            } else {
                input.erase(at, pick(3));
            }
            if (input.empty()) input = "\r";
        }
        const auto got = parse(input, 1 + pick(input.size()));
        EXPECT_LE(got.unused, input.size());
    }
}

TEST(RequestParser, TellsHowTheConnectionGoesOn) {
    struct Case {
        std::string_view name, input;
        bool keep_alive, http_1_0, head;
    };
    const Case cases[] = {
        {"1.1", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", true, false, false},
        {"1.1 close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false, false,
         false},
        {"1.0", "GET / HTTP/1.0\r\n\r\n", false, true, false},
        {"1.0 keep-alive", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true, true, false},
        {"HEAD", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", true, false, true},
    };
    const Limits limits;
    const Picky handler;
    RequestParser parser(limits, handler);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        std::size_t used = 0;
        ASSERT_EQ(parser.put(c.input, used), Outcome::complete);
        EXPECT_EQ(parser.keep_alive(), c.keep_alive);
        EXPECT_EQ(parser.is_http_1_0(), c.http_1_0);
        EXPECT_EQ(parser.is_head(), c.head);
        parser.reset();
    }
}

}  // namespace
}  // namespace mailroom::http
