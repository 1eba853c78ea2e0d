#include "table/remote/endpoint.h"

#include <gtest/gtest.h>

namespace mailroom::table::remote {
namespace {

TEST(Endpoint, IsASchemeAHostAndPerhapsAPortAndNothingElse) {
    struct Case {
        std::string_view name, input, want;  // An empty `want` is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"AWS",             "https://dynamodb.eu-central-1.amazonaws.com", "https://dynamodb.eu-central-1.amazonaws.com/"},
        {"loopback",        "http://127.0.0.1:8000",       "http://127.0.0.1:8000/"},
        {"slash",           "http://127.0.0.1:8000/",      "http://127.0.0.1:8000/"},
        {"upper case",      "HTTP://LocalHost:8000",       "http://localhost:8000/"},
        {"own port",        "https://tables.example:443",  "https://tables.example/"},
        {"other's port",    "http://tables.example:443",   "http://tables.example:443/"},
        {"IPv6",            "http://[::1]:8000",           "http://[::1]:8000/"},
        {"IPv6, no port",   "https://[2001:db8::7]",       "https://[2001:db8::7]/"},
        {"no scheme",       "127.0.0.1:8000",              ""},
        {"file",            "file:///etc/passwd",          ""},
        {"other scheme",    "gopher://example.com",        ""},
        {"no host",         "http://",                     ""},
        {"port alone",      "http://:8000",                ""},
        {"port 0",          "http://h:0",                  ""},
        {"port too large",  "http://h:65536",              ""},
        {"port not number", "http://h:8000x",              ""},
        {"empty port",      "http://h:",                   ""},
        {"user",            "http://user:pass@h:8000",     ""},
        {"path",            "http://h:8000/dynamodb",      ""},
        {"query",           "http://h?x",                  ""},
        {"fragment",        "http://h#x",                  ""},
        {"two slashes",     "http://h//",                  ""},
        {"header line",     "http://h\r\nX: y",            ""},
        {"open bracket",    "http://[::1:8000",            ""},
        {"empty address",   "http://[]:8000",              ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = parse_endpoint(c.input);
        EXPECT_EQ(got ? got->text() : "", c.want);
    }
}

}  // namespace
}  // namespace mailroom::table::remote
