#include "outbox/settings.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

TEST(DkimKeys, AreADomainASelectorAndAFileEach) {
    EXPECT_EQ(parse_dkim_keys(""), std::vector<DkimKey>());
    EXPECT_EQ(
        parse_dkim_keys("example.com:s1:/a:b.pem,example.org:s2:c.pem"),
        (std::vector<DkimKey>{{"example.com", "s1", "/a:b.pem"}, {"example.org", "s2", "c.pem"}}));
    for (const std::string_view bad :
         {"example.com", "example.com:s1", "example.com:s1:", ":s1:/a", "example.com::/a",
          "exa mple.com:s1:/a", "example.com:s1:/a,"}) {
        EXPECT_EQ(parse_dkim_keys(bad), std::nullopt) << bad;
    }
}

}  // namespace
}  // namespace mailroom::outbox
