#include "writing/chat_model.h"

#include "base/text.h"
#include "json/json.h"
#include "json/writer.h"

namespace mailroom::writing {

namespace {

using Type = json::View::Type;

constexpr std::int64_t tokens_max = 1000;  // A page: letters are short.
constexpr double temperature = 0.7, top_p = 0.9;
constexpr std::size_t answer_bytes_max = 256 * 1024;

Error failed(std::string why) { return {Errc::unavailable, std::move(why)}; }

std::string request_body(const std::string& model, const Prompt& prompt) {
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("model").text(model);
    writer.key("messages").open_list();
    writer.open_object().key("role").text("system").key("content").text(prompt.instructions);
    writer.close_object();
    writer.open_object().key("role").text("user").key("content").text(prompt.data);
    writer.close_object().close_list();
    writer.key("max_tokens").integer(tokens_max);
    writer.key("temperature").decimal(temperature).key("top_p").decimal(top_p);
    writer.close_object();
    return body;
}

std::optional<json::View> member(const std::optional<json::View>& object, const char* name,
                                 Type type) {
    if (!object || object->type() != Type::object) return std::nullopt;
    const auto found = object->find(name);
    return found && found->type() == type ? found : std::nullopt;
}

// choices[0].message.content, if the model came to an end.
Result<std::string> text_of(const std::string& body) {
    json::Parser parser;
    const auto parsed = parser.parse(body);
    if (!parsed) return failed("the AI endpoint's answer is not JSON");
    const auto choices = member(*parsed, "choices", Type::list);
    std::optional<json::View> choice;
    json::View element;
    if (choices && json::Elements(*choices).next(element)) choice = element;
    const auto finish = member(choice, "finish_reason", Type::text);
    if (finish && finish->text() != "stop") {
        return failed("the AI's text was cut off: " + std::string(finish->text()));
    }
    const auto content = member(member(choice, "message", Type::object), "content", Type::text);
    if (!content || trim(content->text()).empty()) {
        return failed("the AI endpoint's answer holds no text");
    }
    return std::string(content->text());
}

}  // namespace

Result<std::string> ChatModel::write(const Prompt& prompt) {
    const auto body = request_body(options_.model, prompt);
    net::HttpRequest request{.method = "POST", .url = options_.url};
    request.headers = {{"Content-Type", "application/json"}};
    if (!options_.key.empty()) {
        request.headers.emplace_back("Authorization", "Bearer " + options_.key);
    }
    request.body = body;
    request.reach = net::Reach::trusted;
    request.limits.total_timeout = options_.timeout;
    request.limits.answer_bytes_max = answer_bytes_max;
    const auto answer = http_.send(request);
    if (!answer) return failed("the AI endpoint did not answer: " + answer.error().message);
    if (answer->status != 200) {
        return failed("the AI endpoint answered " + std::to_string(answer->status));
    }
    return text_of(answer->body);
}

}  // namespace mailroom::writing
