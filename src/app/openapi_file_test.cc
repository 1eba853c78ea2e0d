#include "app/test_process.h"
#include "base/scratch_directory.h"
#include "program/openapi.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace mailroom::app {
namespace {

constexpr const char* file_name = MAILROOM_DOCS "/openapi.yaml";
constexpr const char* rewrite = "MAILROOM_REWRITE_OPENAPI";

// What a server says of its routes.
std::string served_description() {
    const ScratchDirectory scratch;
    TestProcess server({"serve", "--data", (scratch / "data").string(), "--http", "127.0.0.1:0",
                        "--smtp", "off", "--dynamodb", "off"});
    const auto http = listener_in(server.read_line(), "http");
    const auto answer = ask(http,
                            "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n"
                            "Connection: close\r\n\r\n");
    server.send(SIGTERM);
    EXPECT_EQ(server.exit_code(), 0);
    const auto body = answer.find("\r\n\r\n");
    return body == std::string::npos ? std::string() : answer.substr(body + 4);
}

std::string text_of(const char* name) {
    std::ifstream file(name);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OpenApiFile, SaysWhatTheServerSays) {
    const auto served = served_description();
    ASSERT_TRUE(served.starts_with("{")) << served;
    const auto yaml = "# Made from the routes of the server: " + std::string(rewrite) +
                      "=1 app_test --gtest_filter='OpenApiFile.*' writes it anew.\n" +
                      program::yaml_of(served);
    if (std::getenv(rewrite)) std::ofstream(file_name) << yaml;
    EXPECT_TRUE(text_of(file_name) == yaml)
        << file_name << " is not what is served; " << rewrite << "=1 takes that over";
}

}  // namespace
}  // namespace mailroom::app
