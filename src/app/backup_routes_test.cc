#include "app/backup_routes.h"

#include <gtest/gtest.h>

#include <set>

namespace mailroom::app {
namespace {

class BackupRoutesTest : public testing::Test {
protected:
    BackupRoutesTest() {
        add_backup_routes(api_, [this](const std::string& name) -> Result<std::string> {
            if (name == "damaged") return Error{Errc::corrupt, "tables/000012.sst is damaged"};
            if (!made_.insert(name).second) return Error{Errc::conflict, "there is one already"};
            return "/backups/" + name;
        });
    }
    program::Rendered ask(std::string_view body) {
        return api_.routes().front().act({none_, none_, body, who_});
    }

    program::Api api_;
    const program::Pairs none_;
    const program::Actor who_{"k1", "ann", {"admin"}};
    std::set<std::string> made_;
};

TEST_F(BackupRoutesTest, MakeACopyUnderASafeName) {
    const auto made = ask(R"({"name":"monday"})");
    EXPECT_EQ(made.status, 201);
    EXPECT_EQ(made.body, R"({"name":"monday","directory":"/backups/monday"})");
    EXPECT_EQ(ask(R"({"name":"monday"})").status, 409);
    for (const auto* name : {"", ".", "..", "../x", "a/b", "a b", ".hidden"}) {
        SCOPED_TRACE(name);
        const auto refused = ask(R"({"name":")" + std::string(name) + R"("})");
        EXPECT_EQ(refused.status, 400) << refused.body;
    }
    EXPECT_EQ(ask("{}").status, 400);
}

TEST_F(BackupRoutesTest, AreForAdminsOnly) {
    EXPECT_EQ(api_.routes().front().about.scope, program::scope::admin);
}

TEST_F(BackupRoutesTest, TellWhichFileIsDamaged) {
    const auto refused = ask(R"({"name":"damaged"})");
    EXPECT_EQ(refused.status, 500);
    EXPECT_NE(refused.body.find("tables/000012.sst"), std::string::npos) << refused.body;
}

}  // namespace
}  // namespace mailroom::app
