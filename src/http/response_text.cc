#include "http/response_text.h"

#include "http/stream.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>

namespace mailroom::http {
namespace {

bool is_safe(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<std::uint8_t>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

void append_number(std::string& out, std::size_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, static_cast<std::size_t>(end - digits));
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
}

void append_status_line(std::string& out, int status) {
    if (status == 200) {
        out += "HTTP/1.1 200 OK\r\n";
        return;
    }
    out += "HTTP/1.1 ";
    append_number(out, static_cast<std::size_t>(status));
    out += ' ';
    out += reason_phrase(status);
    out += "\r\n";
}

// False if nobody knows how long the body will be.
bool append_length(std::string& out, const Response& response) {
    if (response.streamed && !response.streamed->bytes) return false;
    out += "Content-Length: ";
    append_number(out, response.streamed ? *response.streamed->bytes : response.body.size());
    out += "\r\n";
    return true;
}

}  // namespace

bool has_only_safe_headers(const Response& response) {
    return is_safe(response.content_type) &&
           std::ranges::all_of(response.headers, [](const Header& header) {
               return !header.first.empty() && is_safe(header.first) && is_safe(header.second);
           });
}

void append_response(std::string& out, const Response& response, const Framing& framing) {
    assert(response.status >= 100 && response.status <= 999);
    append_status_line(out, response.status);
    append_field(out, "Date", framing.date);
    const bool has_body = may_have_body(response.status);
    if (has_body && !response.content_type.empty()) {
        append_field(out, "Content-Type", response.content_type);
    }
    // No browser shall make something else of what others put into an answer.
    out += "X-Content-Type-Options: nosniff\r\n";
    if (has_body && !append_length(out, response) && !framing.http_1_0) {
        out += "Transfer-Encoding: chunked\r\n";
    }
    for (const auto& [name, value] : response.headers) append_field(out, name, value);
    if (!framing.keep_alive) {
        out += "Connection: close\r\n";
    } else if (framing.http_1_0) {
        out += "Connection: keep-alive\r\n";
    }
    out += "\r\n";
    if (has_body && !framing.head) out += response.body;
}

}  // namespace mailroom::http
