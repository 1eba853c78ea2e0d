#include "api/native_for_tests.h"

namespace mailroom::api {
namespace {

class AccessKeyRoutesTest : public NativeTest {};

TEST_F(AccessKeyRoutesTest, MakeListAndRevokeKeys) {
    EXPECT_EQ(ask("POST", "/v1/access-keys", R"({"name":"laptop"})").status, 403);
    key_ = new_key({"admin"});
    const auto made =
        ask("POST", "/v1/access-keys", R"({"name":"laptop","access":"read","tables":["Orders"]})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto keys = access_keys_->list();
    ASSERT_EQ(keys->size(), 1u);
    const auto& key = keys->front();
    EXPECT_EQ(key.scope, (table::TableScope{table::TableAccess::read, {"Orders"}}));
    const std::string members = R"("id":")" + key.id +
                                R"(","name":"laptop","access":"read","tables":["Orders"],)"
                                R"("created_at":"2026-11-15T05:51:24.123Z")";
    EXPECT_EQ(made.body, "{" + members + R"(,"secret":")" + key.secret + R"("})");
    EXPECT_EQ(ask("GET", "/v1/access-keys").body,
              R"({"items":[{)" + members + R"(}],"next":null})");
    EXPECT_EQ(ask("DELETE", "/v1/access-keys/" + key.id).status, 204);
    EXPECT_EQ(ask("DELETE", "/v1/access-keys/" + key.id).status, 404);

    EXPECT_EQ(ask("POST", "/v1/access-keys", R"({"name":"all"})").status, 201);
    EXPECT_EQ(access_keys_->list()->front().scope, table::TableScope{});
    clock_.advance(std::chrono::seconds(1));
    const auto managing = ask("POST", "/v1/access-keys", R"({"name":"x","access":"manage"})");
    EXPECT_NE(managing.body.find(R"("access":"manage")"), std::string::npos) << managing.body;
    EXPECT_EQ(access_keys_->list()->back().scope.access, table::TableAccess::manage);
}

TEST_F(AccessKeyRoutesTest, RefuseWhatIsNoScope) {
    key_ = new_key({"admin"});
    for (const auto* body : {"{}", R"({"name":""})", R"({"name":"x","access":"everything"})",
                             R"({"name":"x","tables":"Orders"})", R"({"name":"x","tables":[]})",
                             R"({"name":"x","tables":[1]})", R"({"name":"x","scope":"read"})"}) {
        SCOPED_TRACE(body);
        EXPECT_EQ(ask("POST", "/v1/access-keys", body).status, 400);
    }
    EXPECT_TRUE(access_keys_->list()->empty());
}

}  // namespace
}  // namespace mailroom::api
