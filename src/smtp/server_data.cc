#include "smtp/server_data.h"

#include <algorithm>

namespace mailroom::smtp {
namespace {

// What a client declares is believed up to here; beyond, memory grows as the bytes arrive.
constexpr std::uint64_t reserved_bytes_max = 1024 * 1024;
constexpr std::string_view line_end = "\r\n";

}  // namespace

void IncomingData::clear() {
    budget_.give_back(held_bytes_);
    held_bytes_ = 0;
    kept_ = {};
    bytes_ = line_bytes_ = message_bytes_ = 0;
    problem_ = Problem::none;
    at_ = At::line_start;
}

void IncomingData::start(Form form, std::uint64_t expected_bytes) {
    clear();
    form_ = form;
    kept_.reserve(static_cast<std::size_t>(std::min(expected_bytes, reserved_bytes_max)));
}

void IncomingData::fail(Problem problem) {
    problem_ = std::max(problem_, problem);
    kept_ = {};
    budget_.give_back(held_bytes_);
    held_bytes_ = 0;
}

void IncomingData::keep(std::string_view bytes) {
    message_bytes_ += bytes.size();
    if (message_bytes_ > settings_.limits.message_bytes_max) return fail(Problem::too_large);
    if (problem_ != Problem::none) return;
    if (!budget_.take(bytes.size())) return fail(Problem::no_memory);
    held_bytes_ += bytes.size();
    kept_ += bytes;
}

void IncomingData::end_line() {
    if (line_bytes_ > settings_.limits.text_line_bytes_max) fail(Problem::line_too_long);
    line_bytes_ = 0;
}

// A lone CR or LF stands where `at_` is, and has not been kept. The dot after it has no meaning.
void IncomingData::bare_newline() {
    if (settings_.bare_newlines == BareNewlines::refuse) return fail(Problem::bare_newline);
    keep(line_end);
    end_line();
    at_ = At::text;
}

// Takes whole lines as long as it can, and keeps them together.
void IncomingData::put_text(std::string_view bytes, std::size_t& at) {
    const auto from = at;
    while (at < bytes.size()) {
        const auto newline = std::min(bytes.find('\n', at), bytes.size());
        const auto line = bytes.substr(at, newline - at);
        const auto cr = line.find('\r');
        line_bytes_ += std::min(cr, line.size());
        at += std::min(cr, line.size());
        if (cr == line.npos && newline == bytes.size()) break;
        if (cr == line.npos) {
            keep(bytes.substr(from, at++ - from));
            return bare_newline();
        }
        if (at + 1 == bytes.size()) {
            keep(bytes.substr(from, at++ - from));
            at_ = At::text_then_cr;
            return;
        }
        if (bytes[at + 1] != '\n') {
            keep(bytes.substr(from, at++ - from));
            return bare_newline();
        }
        at += line_end.size();
        end_line();
        if (form_ == Form::dotted && (at == bytes.size() || bytes[at] == '.')) {
            at_ = At::line_start;
            break;
        }
    }
    keep(bytes.substr(from, at - from));
    if (form_ == Form::literal && line_bytes_ == 0 && at > from && bytes[at - 1] == '\n') {
        at_ = At::line_start;
    }
}

IncomingData::Outcome IncomingData::put(std::string_view bytes, std::size_t& used) {
    std::size_t at = 0;
    auto outcome = Outcome::need_more;
    while (at < bytes.size() && outcome == Outcome::need_more &&
           problem_ != Problem::bare_newline) {
        const char c = bytes[at];
        switch (at_) {
            case At::line_start:
                at_ = form_ == Form::dotted && c == '.' ? At::dot : At::text;
                if (at_ == At::dot) ++at;
                break;
            case At::dot:  // It was stuffed (RFC 5321, 4.5.2) unless CRLF follows.
                at_ = c == '\r' ? At::dot_then_cr : At::text;
                if (c == '\r') ++at;
                break;
            case At::dot_then_cr:
                if (c == '\n') {
                    ++at;
                    outcome = Outcome::complete;
                } else {
                    bare_newline();
                }
                break;
            case At::text:
                put_text(bytes, at);
                break;
            case At::text_then_cr:
                if (c != '\n') {
                    bare_newline();
                    break;
                }
                ++at;
                keep(line_end);
                end_line();
                at_ = At::line_start;
                break;
        }
    }
    bytes_ += at;
    used += at;
    if (line_bytes_ > settings_.limits.text_line_bytes_max) fail(Problem::line_too_long);
    return outcome;
}

void IncomingData::finish() {
    if (at_ == At::text_then_cr) bare_newline();
    if (at_ == At::text && !kept_.empty() && !kept_.ends_with(line_end)) keep(line_end);
    at_ = At::line_start;
}

}  // namespace mailroom::smtp
