#include "smtp/reply.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::smtp {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes one to three digits off the front of `text`.
std::optional<int> take_number(std::string_view& text) {
    std::size_t count = 0;
    int number = 0;
    while (count < text.size() && count < 3 && is_digit(text[count])) {
        number = number * 10 + (text[count++] - '0');
    }
    if (count == 0) return std::nullopt;
    text.remove_prefix(count);
    return number;
}

bool take_dot(std::string_view& text) {
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<EnhancedStatus> take_enhanced_status(std::string_view& text) {
    auto rest = text;
    const auto category = take_number(rest);
    if (!category || (*category != 2 && *category != 4 && *category != 5)) return std::nullopt;
    if (!take_dot(rest)) return std::nullopt;
    const auto subject = take_number(rest);
    if (!subject || !take_dot(rest)) return std::nullopt;
    const auto detail = take_number(rest);
    if (!detail || (!rest.empty() && rest.front() != ' ')) return std::nullopt;
    if (!rest.empty()) rest.remove_prefix(1);
    text = rest;
    return EnhancedStatus{*category, *subject, *detail};
}

bool has_code(std::string_view line) {
    return line.size() >= 3 && line[0] >= '2' && line[0] <= '5' && is_digit(line[1]) &&
           is_digit(line[2]) && (line.size() == 3 || line[3] == ' ' || line[3] == '-');
}

std::string printable(std::string_view text) {
    std::string out(text);
    std::ranges::replace_if(
        out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
    return out;
}

}  // namespace

std::string EnhancedStatus::text() const {
    return std::to_string(category) + "." + std::to_string(subject) + "." + std::to_string(detail);
}

std::optional<EnhancedStatus> parse_enhanced_status(std::string_view text) {
    return take_enhanced_status(text);
}

ReplyClass Reply::reply_class() const {
    assert(code >= 200 && code <= 599);
    switch (code / 100) {
        case 2:
            return ReplyClass::done;
        case 3:
            return ReplyClass::go_on;
        case 4:
            return ReplyClass::for_now;
        default:
            return ReplyClass::for_good;
    }
}

std::string Reply::text() const {
    std::string out;
    for (const auto& line : lines) {
        if (!out.empty()) out += ' ';
        out += line;
    }
    return out;
}

std::string Reply::wire_text() const {
    assert(!lines.empty());
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out += std::to_string(code);
        out += i + 1 < lines.size() ? '-' : ' ';
        if (enhanced) out += enhanced->text() + ' ';
        out += lines[i];
        out += "\r\n";
    }
    return out;
}

Result<std::optional<Reply>> ReplyParser::put(std::string_view line) {
    if (line.size() > reply_line_bytes_max) {
        return Error{Errc::corrupt, "the server's reply has too long a line"};
    }
    if (!has_code(line)) {
        return Error{Errc::corrupt,
                     "the server's reply is no SMTP: " + printable(line.substr(0, 80))};
    }
    const int code = (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
    const bool more = line.size() > 3 && line[3] == '-';
    if (reply_.lines.empty()) {
        reply_.code = code;
    } else if (reply_.code != code) {
        return Error{Errc::corrupt, "the server's reply changes its code from " +
                                        std::to_string(reply_.code) + " to " +
                                        std::to_string(code)};
    }
    if (reply_.lines.size() == reply_lines_max) {
        return Error{Errc::corrupt, "the server's reply has too many lines"};
    }
    auto text = line.substr(std::min<std::size_t>(4, line.size()));
    const auto first_of_text = text;
    const auto status = take_enhanced_status(text);
    // RFC 2034, 4: the class repeats the first digit. Anything else is text that looks like one.
    if (status && status->category == code / 100) {
        if (!reply_.enhanced) reply_.enhanced = status;
    } else {
        text = first_of_text;
    }
    reply_.lines.push_back(printable(text));
    if (more) return std::optional<Reply>();
    return std::optional<Reply>(std::exchange(reply_, {}));
}

}  // namespace mailroom::smtp
