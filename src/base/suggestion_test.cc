#include "base/suggestion.h"

#include <gtest/gtest.h>

#include <vector>

namespace mailroom {
namespace {

TEST(Suggestion, IsTheNearestWordWithinAThird) {
    const std::vector<std::string> words{"server.data", "server.http", "server.dynamodb", "log"};
    struct Case {
        std::string_view word, want;  // An empty `want` is no suggestion.
    };
    const Case cases[] = {
        {"server.htpp", "server.http"},
        {"server.htp", "server.http"},
        {"sevrer.http", "server.http"},
        {"serverhttp", "server.http"},
        {"server.dynamo", "server.dynamodb"},
        {"lgo", "log"},
        {"logs", "log"},
        {"x", ""},
        {"", ""},
        {"something.else", ""},
    };
    for (const auto& c : cases) EXPECT_EQ(suggestion(c.word, words).value_or(""), c.want) << c.word;
    EXPECT_EQ(suggestion(std::string(100'000, 'l'), words), std::nullopt);
}

}  // namespace
}  // namespace mailroom
