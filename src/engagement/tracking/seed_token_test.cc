#include "engagement/tracking/seed_token.h"

#include "base/base64.h"
#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::engagement {
namespace {

constexpr const char* secret = "test-secret-key";
constexpr const char* known =
    "dXNlckBleGFtcGxlLmNvbXwyMDI2LTAxLTAxVDAwOjAwOjAwLjAwMFp8MjAyNi0wNC0wMVQwMDowMDowMC4wMDBafGQw"
    "ZTQ3ZDY2Y2Q3YjI1YmY1MDA3MmU0ZTIzYzcyNDg0Mzk3NTViZDI3OTUwYWJmNTMyYjA3Mjc3YTIzNjRiOGU";

Time at(const char* text) { return *parse_rfc3339(text); }

std::string fault_of(const std::vector<std::string>& secrets, std::string_view token,
                     const char* now = "2026-02-01T00:00:00Z") {
    const auto read = read_seed_token(secrets, token, at(now));
    return read ? "" : std::string(text_of(read.error().fault));
}

TEST(SeedToken, TheKnownTokenIsMadeAndReadForNinetyDays) {
    EXPECT_EQ(make_seed_token(secret, "user@example.com", at("2026-01-01T00:00:00.000Z")), known);
    const auto read = read_seed_token({secret}, known, at("2026-03-31T23:59:59Z"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, "user@example.com");
    EXPECT_EQ(fault_of({secret}, known, "2026-04-01T00:00:00.000Z"), "");
    EXPECT_EQ(fault_of({secret}, known, "2026-04-01T00:00:00.001Z"), "token expired");
}

TEST(SeedToken, EachFaultIsTold) {
    EXPECT_EQ(fault_of({"another"}, known), "invalid signature");
    EXPECT_EQ(fault_of({}, known), "invalid signature");
    EXPECT_EQ(fault_of({""}, known), "invalid signature");
    EXPECT_EQ(fault_of({secret}, base64url_encode("a|b|c|d|e")), "malformed token");
    EXPECT_EQ(fault_of({secret}, base64url_encode("a|b")), "malformed token");
    EXPECT_EQ(fault_of({secret}, "not a valid token"), "invalid token format");
    EXPECT_EQ(fault_of({secret}, ""), "malformed token");
    EXPECT_EQ(fault_of({secret}, std::string(5000, 'A')), "invalid token format");
}

TEST(SeedToken, ProgramsThatPadAndSecretsThatWereReplacedAreUnderstood) {
    EXPECT_EQ(fault_of({secret}, std::string(known) + "=="), "");
    EXPECT_EQ(fault_of({"the new one", secret}, known), "");
}

TEST(SeedToken, AnAddressWithASeparatorCanUnsubscribe) {
    const auto token = make_seed_token(secret, "a|b@example.com", at("2026-01-01T00:00:00Z"));
    const auto read = read_seed_token({secret}, token, at("2026-01-02T00:00:00Z"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, "a|b@example.com");
}

}  // namespace
}  // namespace mailroom::engagement
