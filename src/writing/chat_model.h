// A language model behind an HTTP endpoint that speaks as OpenAI's chat completions do.
#pragma once

#include "net/http_client.h"
#include "writing/text_model.h"

#include <chrono>
#include <string>

namespace mailroom::writing {

struct ChatModelOptions {
    net::Url url;       // Of the endpoint itself: "https://…/v1/chat/completions".
    std::string key;    // Sent as a bearer token; empty: none is.
    std::string model;  // Its name there.
    std::chrono::seconds timeout = std::chrono::seconds(30);
};

// The operator chose the URL, so it may be internal. Thread-safe.
class ChatModel final : public TextModel {
public:
    // `http` must outlive this object.
    ChatModel(net::HttpClient& http, ChatModelOptions options)
        : http_(http), options_(std::move(options)) {}

    // `unavailable` for no answer, one of a status other than 200, one without a text or with an
    // empty one, and one that was cut off.
    Result<std::string> write(const Prompt& prompt) override;

private:
    net::HttpClient& http_;
    const ChatModelOptions options_;
};

}  // namespace mailroom::writing
