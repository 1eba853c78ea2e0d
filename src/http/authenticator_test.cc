#include "http/authenticator.h"

#include "http/memory_keys.h"

#include <gtest/gtest.h>

namespace mailroom::http {
namespace {

class AuthenticatorTest : public testing::Test {
protected:
    std::string key_with(std::vector<std::string> scopes) {
        auto created = keys_.create("test", std::move(scopes));
        EXPECT_TRUE(created);
        return created ? created->text : "";
    }
    static Request with_header(std::string value) {
        Request request;
        request.headers.emplace_back("authorization", std::move(value));
        return request;
    }
    int status(const Request& request, std::string_view wanted) {
        const auto key = authenticator_.allow(request, wanted);
        return key ? 200 : key.error().status;
    }

    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    SeededRandom random_{1};
    MemoryKeys repository_;
    Keys keys_{repository_, clock_, random_};
    Authenticator authenticator_{keys_};
};

TEST_F(AuthenticatorTest, OnlyAKnownKeyInTheBearerSchemeIsLetIn) {
    const auto key = key_with({"read"});
    struct Case {
        std::string_view name;
        std::string header;
        int want;
    };
    const Case cases[] = {
        {"right", "Bearer " + key, 200},
        {"scheme in any case", "bEARER  " + key + " ", 200},
        {"unknown", "Bearer " + key + "x", 401},
        {"no scheme", key, 401},
        {"other scheme", "Basic " + key, 401},
        {"no key", "Bearer ", 401},
        {"empty", "", 401},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(status(with_header(c.header), scope::read), c.want) << c.name;
    }
    EXPECT_EQ(status({}, scope::read), 401);
}

TEST_F(AuthenticatorTest, TheScopeMustBeThereAndTheRefusalNamesIt) {
    const auto reader = with_header("Bearer " + key_with({"read"}));
    const auto admin = with_header("Bearer " + key_with({"admin"}));
    EXPECT_EQ(status(reader, scope::read), 200);
    EXPECT_EQ(status(admin, scope::send), 200);
    const auto refused = authenticator_.allow(reader, scope::send);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, 403);
    EXPECT_NE(refused.error().body.find("no scope send"), std::string::npos);
}

TEST_F(AuthenticatorTest, ARefusalChallengesTheClient) {
    const auto refused = authenticator_.allow({}, scope::read);
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().headers.size(), 1u);
    EXPECT_EQ(refused.error().headers[0].first, "WWW-Authenticate");
}

TEST_F(AuthenticatorTest, ARevokedKeyIsRefusedFromTheNextRequestOn) {
    const auto created = keys_.create("test", {"read"});
    ASSERT_TRUE(created);
    const auto request = with_header("Bearer " + created->text);
    EXPECT_EQ(status(request, scope::read), 200);
    ASSERT_TRUE(keys_.revoke(created->key.id));
    EXPECT_EQ(status(request, scope::read), 401);
}

}  // namespace
}  // namespace mailroom::http
