// The bytes of an answer.
#pragma once

#include "http/http.h"

#include <string>
#include <string_view>

namespace mailroom::http {

// What an answer owes to its request and its connection rather than to the handler.
struct Framing {
    bool keep_alive = true;
    bool http_1_0 = false;  // Of the request: such a client must be told about keep-alive.
    bool head = false;      // No body, but its length.
    std::string_view date;  // The value of the Date field.
};

// Whether all header fields can be written without changing the shape of the answer.
bool has_only_safe_headers(const Response& response);

// Appends status line, header fields and body. The header fields must be safe.
void append_response(std::string& out, const Response& response, const Framing& framing);

}  // namespace mailroom::http
