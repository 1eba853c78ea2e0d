#include "mime/report/status.h"

#include "base/text.h"
#include "mime/charset.h"

namespace mailroom::mime {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : '\0'; }

std::size_t digits_at(std::string_view text, std::size_t start, std::size_t max) {
    std::size_t count = 0;
    while (count < max && is_digit(at(text, start + count))) ++count;
    return count;
}

// The length of `d.ddd.ddd` at `start`, or 0.
std::size_t status_bytes(std::string_view text, std::size_t start) {
    const char kind = at(text, start);
    if ((kind != '2' && kind != '4' && kind != '5') || at(text, start + 1) != '.') return 0;
    auto end = start + 2;
    const auto subject = digits_at(text, end, 3);
    end += subject;
    if (subject == 0 || at(text, end) != '.') return 0;
    const auto detail = digits_at(text, end + 1, 3);
    end += 1 + detail;
    if (detail == 0 || is_digit(at(text, end))) return 0;
    if (at(text, end) == '.' && is_digit(at(text, end + 1))) return 0;
    return end - start;
}

bool continues_word(char c) {
    return is_digit(c) || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string_view report_kind_name(ReportKind kind) {
    switch (kind) {
        case ReportKind::delivery:
            return "delivery";
        case ReportKind::complaint:
            return "complaint";
        case ReportKind::feedback:
            break;
    }
    return "feedback";
}

std::string_view outcome_name(Outcome outcome) {
    switch (outcome) {
        case Outcome::failed_permanently:
            return "failed_permanently";
        case Outcome::failed_for_now:
            return "failed_for_now";
        case Outcome::delayed:
            return "delayed";
        case Outcome::delivered:
            return "delivered";
        case Outcome::not_spam:
            return "not_spam";
        case Outcome::failed_authentication:
            return "failed_authentication";
        case Outcome::complained:
            return "complained";
    }
    return "unknown";
}

std::optional<std::string> find_enhanced_status(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_digit(text[i])) continue;
        if (i > 0 && continues_word(text[i - 1])) continue;
        if (const auto bytes = status_bytes(text, i)) return std::string(text.substr(i, bytes));
    }
    return std::nullopt;
}

std::optional<int> find_reply_code(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        if (text[i] != '4' && text[i] != '5') continue;
        if (i > 0 && (continues_word(text[i - 1]) || text[i - 1] == '[')) continue;
        const char after = at(text, i + 3);
        if (digits_at(text, i, 4) != 3 || (continues_word(after) && after != '.')) continue;
        if (after == '.' && is_digit(at(text, i + 4))) continue;
        if (text[i + 1] > '5') continue;  // RFC 5321, 4.2.1: the second digit is 0 to 5.
        return (text[i] - '0') * 100 + (text[i + 1] - '0') * 10 + (text[i + 2] - '0');
    }
    return std::nullopt;
}

Outcome failure_outcome(const std::optional<std::string>& status, std::string_view diagnostic) {
    if (status && status->starts_with('4')) return Outcome::failed_for_now;
    if (status) return Outcome::failed_permanently;
    const auto code = find_reply_code(diagnostic);
    return code && *code < 500 ? Outcome::failed_for_now : Outcome::failed_permanently;
}

std::optional<std::string> tidy_diagnostic(std::string_view text) {
    text = trim(text.substr(0, 2 * diagnostic_bytes_max));
    std::string line;
    for (const char c : text) {
        const bool is_space = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
        if (!is_space) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    if (line.empty()) return std::nullopt;
    if (!is_utf8(line)) line = to_utf8(line, "").text;
    line.resize(truncate_utf8(line, diagnostic_bytes_max).size());
    return line;
}

}  // namespace mailroom::mime
