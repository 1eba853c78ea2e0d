#include "http/event_stream.h"

#include <utility>

namespace mailroom::http {

namespace {

void append_line(std::string& text, std::string_view field, std::string_view value) {
    text += field;
    text += ": ";
    text += value;
    text += '\n';
}

}  // namespace

std::string event_text(const Event& event) {
    std::string text;
    if (!event.id.empty()) append_line(text, "id", event.id);
    if (!event.name.empty()) append_line(text, "event", event.name);
    // A CR ends a line, too.
    for (auto data = event.data;;) {
        const auto end = data.find_first_of("\r\n");
        append_line(text, "data", data.substr(0, end));
        if (end == data.npos) break;
        data.remove_prefix(end + (data.substr(end, 2) == "\r\n" ? 2 : 1));
    }
    text += '\n';
    return text;
}

Response event_stream(std::function<void(std::shared_ptr<Stream>)> begin) {
    Response response;
    response.content_type = "text/event-stream";
    response.headers = {{"Cache-Control", "no-store"},
                        // nginx would hold back what is small.
                        {"X-Accel-Buffering", "no"}};
    // A comment, which clients skip.
    response.streamed =
        std::make_shared<Streamed>(Streamed{.begin = std::move(begin), .heartbeat = ":\n\n"});
    return response;
}

std::string_view last_event_id(const Request& request) {
    const auto* id = request.header("Last-Event-ID");
    return id == nullptr ? std::string_view() : *id;
}

}  // namespace mailroom::http
