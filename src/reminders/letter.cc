#include "reminders/letter.h"

#include "base/text.h"
#include "liquid/escape.h"

#include <algorithm>
#include <vector>

namespace mailroom::reminders {

namespace {

constexpr std::string_view subject_label = "subject:";

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

std::string with_plain_line_ends(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r') {
            plain += '\n';
            if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == text.npos) return lines;
        text.remove_prefix(end + 1);
    }
}

// UTF-8 characters: bytes that do not continue one.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string cut_subject(std::string_view text) {
    std::string subject;
    std::size_t count = 0;
    for (const char c : trim(text)) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++count > subject_chars_max) break;
        subject += is_control(c) ? ' ' : c;
    }
    return subject;
}

bool is_subject_line(std::string_view line) {
    const auto text = trim(line);
    return text.size() >= subject_label.size() &&
           ascii_equal_ignoring_case(text.substr(0, subject_label.size()), subject_label);
}

}  // namespace

std::string usual_subject(std::string_view company_name) {
    return "Payment Reminder from " + std::string(company_name);
}

Answer<> check_letter(const Letter& letter) {
    const bool good_subject = !trim(letter.subject).empty() && is_utf8(letter.subject) &&
                              characters(letter.subject) <= subject_chars_max &&
                              std::ranges::none_of(letter.subject, is_control);
    if (!good_subject) {
        return Refusal::bad_field("email_subject", "must be 1 to 200 characters on one line");
    }
    if (trim(letter.text).empty() || letter.text.size() > text_bytes_max || !is_utf8(letter.text)) {
        return Refusal::bad_field("email_content", "must be text of at most 64 KB");
    }
    if (letter.html.size() > 2 * text_bytes_max || !is_utf8(letter.html)) {
        return Refusal::bad_field("email_html", "must be text of at most 128 KB");
    }
    return Ok{};
}

std::string html_of(std::string_view text, std::string_view company_name) {
    std::string html =
        "<!DOCTYPE html>\n<html><body style=\"font-family:sans-serif;line-height:1.5\">\n";
    bool in_paragraph = false;
    const auto plain = with_plain_line_ends(text);
    for (const auto line : lines_of(plain)) {
        if (trim(line).empty()) {
            if (in_paragraph) html += "</p>\n";
            in_paragraph = false;
            continue;
        }
        html += in_paragraph ? "<br>\n" : "<p>";
        in_paragraph = true;
        liquid::append_escaped(html, line);
    }
    if (in_paragraph) html += "</p>\n";
    html += "<hr><p style=\"color:#666\">";
    liquid::append_escaped(html, company_name);
    return html + "</p>\n</body></html>\n";
}

Letter letter_of_model_text(std::string_view text, std::string_view usual,
                            std::string_view company_name) {
    const auto plain = with_plain_line_ends(text);
    const auto lines = lines_of(plain);
    const auto found = std::ranges::find_if(lines, is_subject_line);
    Letter letter;
    bool skipping_blanks = true;  // At the beginning, and after the subject.
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (line == found) {
            letter.subject = cut_subject(trim(*line).substr(subject_label.size()));
            skipping_blanks = true;
            continue;
        }
        if (skipping_blanks && trim(*line).empty()) continue;
        skipping_blanks = false;
        letter.text.append(*line).append("\n");
    }
    if (letter.subject.empty()) letter.subject = cut_subject(usual);
    letter.text = trim(letter.text);
    letter.html = html_of(letter.text, company_name);
    return letter;
}

}  // namespace mailroom::reminders
