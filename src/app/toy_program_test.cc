// What a new program needs outside its own folder is at most four places:
//   1. its folder in the list of CMakeLists.txt,
//   2. its folder among those that src/app/CMakeLists.txt links,
//   3. its line in src/app/programs.h,
//   4. its page in docs/ (docs/configuration.md and docs/openapi.yaml are what tests print).
// Here the toys stand for 1 to 3: nothing else of the server knows of them.
#include "app/toy_program.h"

#include "app/app.h"
#include "app/settings.h"
#include "app/test_process.h"
#include "base/scratch_directory.h"
#include "program/openapi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace mailroom::app {
namespace {

const std::string admin_key = "mr_0123456789abcdefghijklmnopqrstuvwxyz";

class ToyProgram : public testing::Test {
protected:
    void SetUp() override {
        Config config;
        config.programs.house.add<toys::Program>();
        const auto loaded = load_config({std::nullopt,
                                         {{"MAILROOM_SERVER_DATA", (scratch_ / "data").string()},
                                          {"MAILROOM_SERVER_HTTP", "127.0.0.1:0"},
                                          {"MAILROOM_SERVER_DYNAMODB", "127.0.0.1:0"},
                                          {"MAILROOM_SERVER_SMTP", "off"},
                                          {"MAILROOM_DYNAMODB_AUTH", "none"},
                                          {"MAILROOM_TOYS_TURNS", "7"}},
                                         {}},
                                        config);
        ASSERT_TRUE(loaded) << loaded.error().message;
        auto started = App::start(std::move(config), admin_key);
        ASSERT_TRUE(started) << started.error().message;
        app_ = *std::move(started);
        http_ = listener_in(app_->ready_line(), "http");
        tables_ = listener_in(app_->ready_line(), "dynamodb");
    }
    std::string request(const std::string& method, const std::string& path,
                        const std::string& body = "") const {
        return ask(http_, method + " " + path +
                              " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                              "Authorization: Bearer " +
                              admin_key + "\r\nContent-Type: application/json\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    // What comes about when the job has run.
    bool eventually(const std::string& path, const std::string& text) const {
        for (int tries = 0; tries < 10'000; ++tries) {
            if (request("GET", path).find(text) != std::string::npos) return true;
            std::this_thread::yield();
        }
        return false;
    }

    const ScratchDirectory scratch_;
    std::unique_ptr<App> app_;
    std::string http_, tables_;
};

TEST_F(ToyProgram, WorksOverHttpAsItsSettingsSay) {
    const auto added = request("POST", "/v1/toys", R"({"id":"car","colour":"red"})");
    EXPECT_TRUE(added.starts_with("HTTP/1.1 201")) << added;
    EXPECT_TRUE(added.ends_with(R"({"id":"car","colour":"red","turns":0})")) << added;
    EXPECT_TRUE(eventually("/v1/toys/car", R"("turns":7)"));
    EXPECT_TRUE(eventually("/metrics", "mailroom_toys_wound_up_total 1"));
    EXPECT_NE(request("GET", "/metrics")
                  .find(R"(mailroom_jobs_oldest_due_seconds{queue="toys.winding"})"),
              std::string::npos);

    const auto again = request("POST", "/v1/toys", R"({"id":"car"})");
    EXPECT_TRUE(again.starts_with("HTTP/1.1 409")) << again;
    const auto wrong = request("POST", "/v1/toys", R"({"colour":3})");
    EXPECT_TRUE(wrong.starts_with("HTTP/1.1 400")) << wrong;
    EXPECT_TRUE(request("GET", "/v1/toys/doll").starts_with("HTTP/1.1 404"));
}

TEST_F(ToyProgram, HasATableThatStrangersDoNotFindWhateverItsName) {
    const auto send = [&](const std::string& operation, const std::string& body) {
        return ask(tables_,
                   "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                   "Content-Type: application/x-amz-json-1.0\r\n"
                   "X-Amz-Target: DynamoDB_20120810." +
                       operation + "\r\nContent-Length: " + std::to_string(body.size()) +
                       "\r\n\r\n" + body);
    };
    EXPECT_EQ(send("ListTables", "{}").find("\"Toys\""), std::string::npos);
    EXPECT_TRUE(send("Scan", R"({"TableName":"Toys"})").starts_with("HTTP/1.1 400"));
    EXPECT_TRUE(send("DeleteTable", R"({"TableName":"Toys"})").starts_with("HTTP/1.1 400"));
    EXPECT_TRUE(request("POST", "/v1/toys", R"({"id":"car"})").starts_with("HTTP/1.1 201"));
}

TEST(ToyProgramDescribed, StandsAmongTheSettingsAndInTheDescriptionOfTheRoutes) {
    Config config;
    auto& toys = config.programs.house.add<toys::Program>();
    const auto settings = settings_of(config);
    const auto turns = std::ranges::find(settings, "toys.turns", &Setting::path);
    ASSERT_NE(turns, settings.end());
    EXPECT_EQ(turns->environment(), "MAILROOM_TOYS_TURNS");
    EXPECT_EQ(turns->accepts, "a whole number from 1 to 100");
    EXPECT_FALSE(turns->set("101"));

    program::Api api;
    toys.add_routes(api);
    const auto description = program::openapi_json(api, "1.0");
    for (const auto* part : {"\"/v1/toys\"", "\"/v1/toys/{id}\"", "\"Toy\"", "\"add_toy\""}) {
        EXPECT_NE(description.find(part), std::string::npos) << part;
    }
}

TEST(ToyProgramDescribed, IsSmall) {
    std::ifstream file(MAILROOM_DOCS "/../src/app/toy_program.h");
    ASSERT_TRUE(file);
    EXPECT_LE(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 120);
}

}  // namespace
}  // namespace mailroom::app
