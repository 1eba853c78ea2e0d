#include "app/setting_values.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::app {
namespace {

using namespace std::string_view_literals;

TEST(ListenAddress, IsAnAddressAndAPort) {
    struct Case {
        std::string_view text, want;  // An empty `want` is a refusal.
        bool loopback = false;
    };
    const Case cases[] = {
        {"127.0.0.1:8025", "127.0.0.1:8025", true},
        {"127.1.2.3:0", "127.1.2.3:0", true},
        {"localhost:8025", "127.0.0.1:8025", true},
        {"0.0.0.0:65535", "0.0.0.0:65535"},
        {"10.0.0.7:80", "10.0.0.7:80"},
        {"[::1]:8025", "[::1]:8025", true},
        {"[0:0:0:0:0:0:0:1]:1", "[0:0:0:0:0:0:0:1]:1", true},
        {"[::]:8025", "[::]:8025"},
        {"[2001:db8::7]:8025", "[2001:db8::7]:8025"},
        {"", ""},
        {"8025", ""},
        {":8025", ""},
        {"127.0.0.1", ""},
        {"127.0.0.1:", ""},
        {"127.0.0.1:65536", ""},
        {"127.0.0.1:-1", ""},
        {"127.0.0.1:+1", ""},
        {"127.0.0.1:80 ", ""},
        {" 127.0.0.1:80", ""},
        {"127.0.0.1:80:80", ""},
        {"127.0.0.1:http", ""},
        {"127.0.0:80", ""},
        {"127.0.0.1.example:80", ""},
        {"example.com:80", ""},
        {"::1:8025", ""},
        {"[::1]", ""},
        {"[::1]8025", ""},
        {"[::1:8025", ""},
        {"[127.0.0.1]:80", ""},
        {"127.0.0.1\0.1:80"sv, ""},
        {"http://127.0.0.1:80", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto got = parse_listen_address(c.text);
        EXPECT_EQ(got ? got->text() : "", c.want);
        EXPECT_EQ(got && got->is_loopback(), c.loopback);
    }
}

TEST(RemoteDynamodb, IsASchemeAHostAndPerhapsAPort) {
    struct Case {
        std::string_view text, want;  // An empty `want` is a refusal.
    };
    const Case cases[] = {
        {"dynamodb+http://127.0.0.1:8000", "dynamodb+http://127.0.0.1:8000"},
        {"dynamodb+http://tables.internal", "dynamodb+http://tables.internal:80"},
        {"dynamodb+https://dynamodb.eu-west-1.amazonaws.com",
         "dynamodb+https://dynamodb.eu-west-1.amazonaws.com:443"},
        {"dynamodb+http://[::1]:8000", "dynamodb+http://[::1]:8000"},
        {"http://127.0.0.1:8000", ""},
        {"dynamodb://127.0.0.1:8000", ""},
        {"dynamodb+http://", ""},
        {"dynamodb+http://:8000", ""},
        {"dynamodb+http://host:0", ""},
        {"dynamodb+http://host:65536", ""},
        {"dynamodb+http://host/path", ""},
        {"dynamodb+http://user@host", ""},
        {"dynamodb+http://host:8000/", ""},
        {"dynamodb+http://-host", ""},
        {"dynamodb+http://ho st", ""},
        {"dynamodb+http://[host]", ""},
        {"DYNAMODB+HTTP://host", ""},
    };
    for (const auto& c : cases) {
        const auto got = parse_remote_dynamodb(c.text);
        EXPECT_EQ(got ? got->text() : "", c.want) << c.text;
    }
}

}  // namespace
}  // namespace mailroom::app
