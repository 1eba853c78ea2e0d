#include "writing/plain_text.h"

#include "base/text.h"
#include "liquid/escape.h"

#include <algorithm>
#include <vector>

namespace mailroom::writing {

namespace {

constexpr std::string_view subject_label = "subject:";

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
// The first byte of a UTF-8 character.
bool begins_one(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

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

bool is_subject_line(std::string_view line) {
    const auto text = trim(line);
    return text.size() >= subject_label.size() &&
           ascii_equal_ignoring_case(text.substr(0, subject_label.size()), subject_label);
}

}  // namespace

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_one));
}

bool has_control(std::string_view text) { return std::ranges::any_of(text, is_control); }

std::string subject_of(std::string_view text) {
    std::string subject;
    std::size_t count = 0;
    for (const char c : trim(text)) {
        if (begins_one(c) && ++count > subject_chars_max) break;
        subject += is_control(c) ? ' ' : c;
    }
    return subject;
}

std::string html_of(std::string_view text, std::string_view signature) {
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
    liquid::append_escaped(html, signature);
    return html + "</p>\n</body></html>\n";
}

WrittenText taken_apart(std::string_view text, std::string_view usual_subject) {
    const auto plain = with_plain_line_ends(text);
    const auto lines = lines_of(plain);
    const auto found = std::ranges::find_if(lines, is_subject_line);
    WrittenText written;
    bool skipping_blanks = true;  // At the beginning, and after the subject.
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (line == found) {
            written.subject = subject_of(trim(*line).substr(subject_label.size()));
            skipping_blanks = true;
            continue;
        }
        if (skipping_blanks && trim(*line).empty()) continue;
        skipping_blanks = false;
        written.text.append(*line).append("\n");
    }
    if (written.subject.empty()) written.subject = subject_of(usual_subject);
    written.text = trim(written.text);
    return written;
}

}  // namespace mailroom::writing
