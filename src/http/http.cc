#include "http/http.h"

#include "base/text.h"

#include <cstdint>

namespace mailroom::http {
namespace {

struct Status {
    int number;
    std::string_view reason;
    std::string_view code;
};

// clang-format off
constexpr Status statuses[] = {
    {100, "Continue", ""},
    {101, "Switching Protocols", ""},
    {200, "OK", ""},
    {201, "Created", ""},
    {202, "Accepted", ""},
    {204, "No Content", ""},
    {301, "Moved Permanently", ""},
    {302, "Found", ""},
    {303, "See Other", ""},
    {304, "Not Modified", ""},
    {307, "Temporary Redirect", ""},
    {308, "Permanent Redirect", ""},
    {400, "Bad Request", "invalid"},
    {401, "Unauthorized", "unauthorized"},
    {403, "Forbidden", "forbidden"},
    {404, "Not Found", "not_found"},
    {405, "Method Not Allowed", "method_not_allowed"},
    {408, "Request Timeout", "timeout"},
    {409, "Conflict", "conflict"},
    {410, "Gone", "gone"},
    {412, "Precondition Failed", "precondition_failed"},
    {413, "Content Too Large", "too_large"},
    {414, "URI Too Long", "too_large"},
    {415, "Unsupported Media Type", "unsupported_media_type"},
    {417, "Expectation Failed", "expectation_failed"},
    {422, "Unprocessable Content", "invalid"},
    {426, "Upgrade Required", "upgrade_required"},
    {429, "Too Many Requests", "throttled"},
    {431, "Request Header Fields Too Large", "too_large"},
    {500, "Internal Server Error", "internal"},
    {501, "Not Supported", "unsupported"},
    {502, "Bad Gateway", "bad_gateway"},
    {503, "Service Unavailable", "unavailable"},
    {504, "Gateway Timeout", "timeout"},
    {505, "HTTP Version Not Supported", "unsupported"},
};
// clang-format on

const Status* find_status(int number) {
    for (const auto& status : statuses) {
        if (status.number == number) return &status;
    }
    return nullptr;
}

void append_escaped(std::string& json, char c) {
    static constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
        json += '\\';
        json += c;
    } else if (c == '\n') {
        json += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
        json += "\\u00";
        json += digits[byte >> 4];
        json += digits[byte & 15];
    } else {
        json += c;
    }
}

}  // namespace

const std::string* Request::header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
        if (key.size() == name.size() && ascii_equal_ignoring_case(key, name)) return &value;
    }
    return nullptr;
}

std::string_view reason_phrase(int status) {
    if (status == 200) return "OK";
    const auto* found = find_status(status);
    return found ? found->reason : "Unknown";
}

std::string_view error_code_for(int status) {
    const auto* found = find_status(status);
    if (found && !found->code.empty()) return found->code;
    return status >= 500 ? "internal" : "invalid";
}

void append_json_string(std::string& json, std::string_view text) {
    const bool valid = is_utf8(text);
    json += '"';
    for (char c : text) {
        if (!valid && static_cast<std::uint8_t>(c) >= 0x80) {
            json += "\\ufffd";
        } else {
            append_escaped(json, c);
        }
    }
    json += '"';
}

Response error_response(int status, std::string_view code, std::string_view message,
                        std::string_view details) {
    Response response;
    response.status = status;
    response.body = R"({"error":{"code":)";
    append_json_string(response.body, code);
    response.body += R"(,"message":)";
    append_json_string(response.body, message);
    response.body += R"(,"details":)";
    response.body += details.empty() ? std::string_view("{}") : details;
    response.body += "}}";
    return response;
}

Response Handler::refuse(int status, std::string_view why) const {
    return error_response(status, error_code_for(status), why);
}

std::size_t Handler::body_bytes_max(const Request&) const { return SIZE_MAX; }

std::optional<Response> Handler::refuse_head(const Request&) const { return std::nullopt; }

}  // namespace mailroom::http
