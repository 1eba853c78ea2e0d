// Collects the header lines of an answer as they come. Only for http_transfer.cc.
#pragma once

#include "base/text.h"
#include "net/headers.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace mailroom::net {

class AnswerHeaders {
public:
    explicit AnswerHeaders(std::size_t bytes_max) : bytes_left_(bytes_max) {}

    // A line with its end. False when there are too many bytes in all, those of earlier, interim
    // answers (RFC 9110, 15.2) included.
    bool add(std::string_view line) {
        if (line.size() > bytes_left_) return false;
        bytes_left_ -= line.size();
        if (ended_) return true;
        if (line.starts_with("HTTP/")) {
            headers_.clear();
            headers_.reserve(usual_headers);
        }
        const auto colon = line.find(':');
        // A line that begins with a space continues the one before (RFC 9112, 5.2).
        if (line.starts_with(' ') || line.starts_with('\t')) {
            const auto more = trim(line);
            if (!headers_.empty()) headers_.back().second.append(" ").append(more);
        } else if (colon != line.npos) {
            headers_.emplace_back(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
        }
        return true;
    }
    // What comes after the body has begun are trailers, which nobody asked for.
    void end() { ended_ = true; }

    Headers take() && { return std::move(headers_); }

private:
    static constexpr std::size_t usual_headers = 16;

    std::size_t bytes_left_;
    bool ended_ = false;
    Headers headers_;
};

}  // namespace mailroom::net
