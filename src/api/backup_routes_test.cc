#include "api/native_for_tests.h"

namespace mailroom::api {
namespace {

class BackupRoutesTest : public NativeTest {};

TEST_F(BackupRoutesTest, MakeACopyForAdminsUnderASafeName) {
    EXPECT_EQ(ask("POST", "/v1/backups", R"({"name":"monday"})").status, 403);
    key_ = new_key({"admin"});
    const auto made = ask("POST", "/v1/backups", R"({"name":"monday"})");
    EXPECT_EQ(made.status, 201);
    EXPECT_EQ(made.body, R"({"name":"monday","directory":"/backups/monday"})");
    EXPECT_EQ(ask("POST", "/v1/backups", R"({"name":"monday"})").status, 409);
    for (const auto* name : {"", ".", "..", "../x", "a/b", "a b", ".hidden"}) {
        SCOPED_TRACE(name);
        const auto refused =
            ask("POST", "/v1/backups", R"({"name":")" + std::string(name) + R"("})");
        EXPECT_EQ(refused.status, 400) << refused.body;
    }
    EXPECT_EQ(ask("POST", "/v1/backups", "{}").status, 400);
}

}  // namespace
}  // namespace mailroom::api
