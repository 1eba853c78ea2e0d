#include "http/keys.h"

#include "http/memory_keys.h"

#include <gtest/gtest.h>

#include <thread>
#include <tuple>

namespace mailroom::http {
namespace {

using Scopes = std::vector<std::string>;

class KeysTest : public testing::Test {
protected:
    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    SeededRandom random_{1};
    MemoryKeys repository_;
    Keys keys_{repository_, clock_, random_};
};

TEST_F(KeysTest, AKeyIsShownOnceAndKeptAsItsHash) {
    const auto created = keys_.create("billing", {"send", "read", "read"});
    ASSERT_TRUE(created);
    EXPECT_TRUE(created->text.starts_with("mr_"));
    EXPECT_EQ(created->text.size(), 3u + 43u);
    EXPECT_EQ(created->text.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
              std::string::npos);
    const auto& key = created->key;
    EXPECT_EQ(key.name, "billing");
    EXPECT_EQ(key.scopes, (Scopes{"read", "send"}));
    EXPECT_EQ(key.created, clock_.now());
    EXPECT_EQ(key.last_four, created->text.substr(created->text.size() - 4));
    EXPECT_EQ(key.hash, key_hash(created->text));
    const auto listed = keys_.list();
    ASSERT_TRUE(listed);
    EXPECT_EQ(*listed, std::vector{key});
}

TEST_F(KeysTest, AKeySaysWhoHoldsItInOneSpelling) {
    EXPECT_EQ(keys_.create("a", {"send"})->key.person, "");
    EXPECT_EQ(keys_.create("b", {"send"}, " Ann@Example.com ")->key.person, "ann@example.com");
    const auto refused = keys_.create("c", {"send"}, "a\nb");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::invalid);
}

TEST_F(KeysTest, HashIsSha256) {
    // FIPS 180-2, appendix B.1.
    EXPECT_EQ(key_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(KeysTest, OnlyTheExactTextAuthenticatesAndOnlyUntilRevoked) {
    const auto created = keys_.create("a", {"send"});
    ASSERT_TRUE(created);
    const auto finds = [&](const std::string& text) {
        const auto found = keys_.authenticate(text);
        EXPECT_TRUE(found);
        return found && found->has_value();
    };
    EXPECT_TRUE(finds(created->text));
    EXPECT_FALSE(finds(""));
    EXPECT_FALSE(finds(created->text + " "));
    EXPECT_FALSE(finds(created->text.substr(1)));
    EXPECT_FALSE(finds(created->key.hash));
    EXPECT_FALSE(finds(std::string(1 << 20, 'a')));

    const auto unknown = keys_.revoke("01ARYZ6S410000000000000000");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Errc::not_found);
    EXPECT_TRUE(keys_.revoke(created->key.id));
    EXPECT_FALSE(finds(created->text));
    EXPECT_FALSE(keys_.revoke(created->key.id));
}

TEST_F(KeysTest, ScopesAllowThemselvesAndAdminAllowsAll) {
    ApiKey key;
    key.scopes = {"read"};
    EXPECT_TRUE(key.allows("read"));
    EXPECT_FALSE(key.allows("rea"));
    EXPECT_FALSE(key.allows("send"));
    key.scopes = {"admin"};
    EXPECT_TRUE(key.allows("send"));
}

TEST_F(KeysTest, AScopeThatIsNotKnownIsRefusedAndTheKnownOnesAreNamed) {
    const auto created = keys_.create("billing", {"read", "outbox:read"});
    ASSERT_FALSE(created);
    EXPECT_EQ(created.error().message,
              "\"outbox:read\" is not a scope; those there are: send, read, admin, "
              "reminders:read, reminders:draft, reminders:approve, people:read, people:write, "
              "events, campaigns:read, campaigns:draft, campaigns:send");
}

TEST_F(KeysTest, NamesAndScopesThatMakeNoSenseAreRefused) {
    struct Case {
        std::string name;
        Scopes scopes;
    };
    const Case cases[] = {
        {"", {"admin"}},
        {"  ", {"admin"}},
        {"two\nlines", {"admin"}},
        {std::string(101, 'a'), {"admin"}},
        {"\xff", {"admin"}},
        {"a", {}},
        {"a", {""}},
        {"a", {"Admin"}},
        {"a", {"read,send"}},
        {"a", {"read", "reads"}},
        {"a", {std::string(65, 'a')}},
    };
    for (const auto& c : cases) {
        const auto created = keys_.create(c.name, c.scopes);
        ASSERT_FALSE(created) << c.name;
        EXPECT_EQ(created.error().code, Errc::invalid);
    }
    EXPECT_TRUE(keys_.list()->empty());
}

TEST_F(KeysTest, TheFirstStartMakesAnAdminKeyAndLaterOnesDoNot) {
    const auto first = keys_.ensure_admin(std::nullopt);
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->has_value());
    const auto found = keys_.authenticate(**first);
    ASSERT_TRUE(found && *found);
    EXPECT_TRUE((*found)->allows("anything"));
    const auto again = keys_.ensure_admin(std::nullopt);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, std::nullopt);
    EXPECT_EQ(keys_.list()->size(), 1u);
}

TEST_F(KeysTest, TheFirstStartAdoptsTheWantedAdminKeyAndShowsNothing) {
    const std::string wanted = "chosen-by-the-operator-1234";
    const auto first = keys_.ensure_admin(wanted);
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, std::nullopt);
    EXPECT_TRUE(keys_.authenticate(wanted)->has_value());
    // Later starts leave the keys as they are, so that a revoked key does not come back.
    ASSERT_TRUE(keys_.ensure_admin("another-key-of-the-operator"));
    EXPECT_FALSE(keys_.authenticate("another-key-of-the-operator")->has_value());
}

TEST_F(KeysTest, AdoptingTwiceKeepsOne) {
    const std::string text = "chosen-by-the-operator-1234";
    const auto first = keys_.adopt("a", text, {"admin"});
    const auto second = keys_.adopt("b", text, {"admin"});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*first, *second);
    for (const std::string bad :
         {"", "short", "has a blank in the middle of it", "with-a-control\x01-character",
          "caf\xc3\xa9-caf\xc3\xa9-caf\xc3\xa9-caf\xc3\xa9"}) {
        const auto refused = keys_.adopt("a", bad, {"admin"});
        ASSERT_FALSE(refused) << bad;
        EXPECT_EQ(refused.error().code, Errc::invalid);
    }
    EXPECT_FALSE(keys_.adopt("a", std::string(257, 'a'), {"admin"}));
}

TEST_F(KeysTest, TheLastAdminKeyCannotBeRevoked) {
    const auto first = keys_.create("first", {"admin", "send"});
    const auto sending = keys_.create("shop", {"send"});
    const auto refused = keys_.revoke(first->key.id);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_TRUE(*keys_.authenticate(first->text));
    const auto second = keys_.create("second", {"admin"});
    EXPECT_TRUE(keys_.revoke(first->key.id));
    EXPECT_FALSE(keys_.revoke(second->key.id));
    EXPECT_TRUE(keys_.revoke(sending->key.id)) << "other keys come and go";
}

TEST_F(KeysTest, AdminsWhoRevokeEachOtherAtTheSameMomentLeaveOne) {
    constexpr std::size_t admins = 4;
    for (int round = 0; round < 50; ++round) {
        std::vector<std::string> ids;
        const auto left = keys_.list();
        for (const auto& key : *left) ids.push_back(key.id);
        while (ids.size() < admins) ids.push_back(keys_.create("admin", {"admin"})->key.id);
        std::vector<std::thread> threads;
        for (const auto& id : ids) {
            threads.emplace_back([this, id] { std::ignore = keys_.revoke(id); });
        }
        for (auto& thread : threads) thread.join();
        EXPECT_EQ(keys_.list()->size(), 1u);
    }
}

TEST_F(KeysTest, AServerWithoutAnAdminKeyMakesOneWhateverOtherKeysThereAre) {
    ASSERT_TRUE(keys_.create("shop", {"send"}));
    const auto shown = keys_.ensure_admin(std::nullopt);
    ASSERT_TRUE(shown);
    ASSERT_TRUE(*shown);
    const auto key = keys_.authenticate(**shown);
    ASSERT_TRUE(key && *key);
    EXPECT_TRUE((*key)->allows(scope::admin));
}

}  // namespace
}  // namespace mailroom::http
