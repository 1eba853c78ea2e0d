#include "reply_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace mailroom::bench {
namespace {

using State = ReplyReader::State;

State feed(ReplyReader& reader, std::string_view bytes) {
    auto state = State::incomplete;
    while (!bytes.empty() && state == State::incomplete) {
        const auto space = reader.space();
        const auto part = std::min(space.size(), bytes.size());
        std::memcpy(space.data(), bytes.data(), part);
        bytes.remove_prefix(part);
        state = reader.received(part);
    }
    return state;
}

TEST(ReplyReader, FindsTheEndOfAReplyOrRefusesIt) {
    struct Case {
        std::string name, input;
        State want;
        int status;
        std::string body;
    };
    const std::string large(300'000, 'x');
    const Case cases[] = {
        {"plain", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", State::complete, 200, "{}"},
        {"any case, no space", "HTTP/1.1 200 OK\r\nA: b\r\ncontent-LENGTH:2\r\n\r\n{}",
         State::complete, 200, "{}"},
        {"empty body", "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", State::complete, 404, ""},
        {"larger than the buffer", "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + large,
         State::complete, 200, large},
        {"half a head", "HTTP/1.1 200 OK\r\nContent-Le", State::incomplete, 0, ""},
        {"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", State::incomplete, 0, ""},
        {"more than one reply", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP", State::broken,
         0, ""},
        {"no length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", State::broken, 0,
         ""},
        {"length is no number", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", State::broken, 0,
         ""},
        {"length past the limit", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
         State::broken, 0, ""},
        {"not HTTP", "SSH-2.0-OpenSSH\r\n\r\n", State::broken, 0, ""},
        {"a head without end", "HTTP/1.1 200 OK\r\nA: " + large, State::broken, 0, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ReplyReader reader;
        ASSERT_EQ(feed(reader, c.input), c.want);
        if (c.want != State::complete) continue;
        EXPECT_EQ(reader.status(), c.status);
        EXPECT_EQ(reader.body(), c.body);
    }
}

TEST(ReplyReader, ReadsAReplyCutAnywhereAndThenTheNextOne) {
    const std::string reply = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nB: c\r\n\r\nhello";
    ReplyReader reader;
    for (std::size_t cut = 1; cut < reply.size(); ++cut) {
        SCOPED_TRACE(cut);
        ASSERT_EQ(feed(reader, std::string_view(reply).substr(0, cut)), State::incomplete);
        ASSERT_EQ(feed(reader, std::string_view(reply).substr(cut)), State::complete);
        EXPECT_EQ(reader.status(), 201);
        EXPECT_EQ(reader.body(), "hello");
        reader.reset();
    }
}

}  // namespace
}  // namespace mailroom::bench
