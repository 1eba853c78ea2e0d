#include "writing/chat_model.h"

#include "net/scripted_server.h"

#include <gtest/gtest.h>

namespace mailroom::writing {
namespace {

std::string chat_answer(const std::string& choice) {
    return net::ScriptedServer::answer(200, R"({"id":"x","choices":[)" + choice + "]}");
}

// The text, or why there is none.
std::string written(const std::string& answer) {
    net::ScriptedServer server({answer});
    net::HttpClient http(net::HttpClientOptions{});
    ChatModel model(http, {.url = *net::Url::parse(server.url() + "/v1/chat/completions"),
                           .key = "secret",
                           .model = "small",
                           .timeout = std::chrono::seconds(10)});
    const auto text = model.write({"Be polite", "Write \"politely\""});
    return text ? *text : "refused: " + text.error().message;
}

TEST(ChatModel, OnlyAWholeTextIsOne) {
    struct Case {
        std::string_view name;
        std::string answer, want;
    };
    const Case cases[] = {
        {"a text", chat_answer(R"({"message":{"content":"Dear"},"finish_reason":"stop"})"), "Dear"},
        {"no reason", chat_answer(R"({"message":{"content":"Dear"}})"), "Dear"},
        {"cut off", chat_answer(R"({"message":{"content":"Dear"},"finish_reason":"length"})"),
         "refused: the AI's text was cut off: length"},
        {"empty", chat_answer(R"({"message":{"content":" \n"}})"),
         "refused: the AI endpoint's answer holds no text"},
        {"no choice", chat_answer(""), "refused: the AI endpoint's answer holds no text"},
        {"another shape", chat_answer(R"({"message":["Dear"]})"),
         "refused: the AI endpoint's answer holds no text"},
        {"a list", net::ScriptedServer::answer(200, "[]"),
         "refused: the AI endpoint's answer holds no text"},
        {"no JSON", net::ScriptedServer::answer(200, "Dear"),
         "refused: the AI endpoint's answer is not JSON"},
        {"an error", net::ScriptedServer::answer(500, R"({"error":"Dear customer"})"),
         "refused: the AI endpoint answered 500"},
    };
    for (const auto& c : cases) EXPECT_EQ(written(c.answer), c.want) << c.name;
    EXPECT_TRUE(written("").starts_with("refused: the AI endpoint did not answer"));
}

TEST(ChatModel, AsksAsTheApiWants) {
    net::ScriptedServer server({chat_answer(R"({"message":{"content":"Dear"}})")});
    net::HttpClient http(net::HttpClientOptions{});
    ChatModel model(http, {.url = *net::Url::parse(server.url() + "/v1/chat/completions"),
                           .key = "secret",
                           .model = "small"});
    ASSERT_TRUE(model.write({"Be polite", "Write \"politely\""}));
    const auto request = server.requests().at(0);
    EXPECT_TRUE(request.starts_with("POST /v1/chat/completions ")) << request;
    for (const std::string_view part :
         {"Authorization: Bearer secret", R"("model":"small")",
          R"({"role":"system","content":"Be polite"})",
          R"({"role":"user","content":"Write \"politely\""})", R"("max_tokens":1000)",
          R"("temperature":0.7)", R"("top_p":0.9)"}) {
        EXPECT_NE(request.find(part), std::string::npos) << part << " in " << request;
    }
}

}  // namespace
}  // namespace mailroom::writing
