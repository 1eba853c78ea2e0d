#include "mime/html/text_layout.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mime::html {
namespace {

// Past this the nesting of quotes and lists is not shown: every line would repeat it.
constexpr std::size_t prefix_bytes_max = 60;
constexpr int empty_lines_max = 1;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// The length of a character that shows nothing but pads hidden preview texts, or 0: soft hyphen,
// combining grapheme joiner, zero-width space, byte order mark.
std::size_t invisible_bytes(std::string_view text) {
    for (const std::string_view character : {"\u00AD", "\u034F", "\u200B", "\uFEFF"}) {
        if (text.starts_with(character)) return character.size();
    }
    return 0;
}

// The same for what is a space to the eye.
std::size_t space_bytes(std::string_view text) {
    if (is_space(text.front())) return 1;
    return text.starts_with("\u00A0") ? 2 : 0;
}

bool may_be_special(char c) {
    return is_space(c) || c == '\xc2' || c == '\xcd' || c == '\xe2' || c == '\xef';
}

}  // namespace

void TextLayout::text(std::string_view text) {
    std::size_t word_begin = 0;
    std::size_t i = 0;
    const auto flush = [&] { word(text.substr(word_begin, i - word_begin)); };
    while (i < text.size()) {
        if (!may_be_special(text[i])) {
            ++i;
            continue;
        }
        const auto rest = text.substr(i);
        const auto spaces = space_bytes(rest);
        const auto skipped = spaces > 0 ? spaces : invisible_bytes(rest);
        if (skipped == 0) {
            ++i;
            continue;
        }
        flush();
        if (spaces > 0) space();
        i += skipped;
        word_begin = i;
    }
    flush();
}

void TextLayout::word(std::string_view word) {
    if (word.empty() || is_full()) return;
    begin_word();
    out_ += word;
}

void TextLayout::preformatted(std::string_view text) {
    while (!text.empty() && !is_full()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        while (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) word(line);
        if (end == text.size()) break;
        line_break();
        text.remove_prefix(end + 1);
    }
}

void TextLayout::cell_gap() {
    if (at_line_start()) return;
    out_ += ' ';
    space_ = true;
}

void TextLayout::begin_word() {
    const auto breaks = out_.empty() ? 0 : std::min(breaks_, empty_lines_max + 1);
    for (int i = 0; i < breaks; ++i) break_line();
    breaks_ = 0;
    if (line_empty_) {
        const std::string_view prefix = first_prefix_ ? *first_prefix_ : prefix_;
        out_ += prefix.substr(0, prefix_bytes_max);
        first_prefix_.reset();
        line_empty_ = space_ = false;
    }
    shared_prefix_bytes_ = prefix_.size();
    if (space_) out_ += ' ';
    space_ = false;
}

void TextLayout::break_line() {
    if (line_empty_) {
        // An empty line belongs to a quote only if the lines around it both do.
        const std::string_view quote = prefix_;
        out_ += trim(quote.substr(0, std::min(shared_prefix_bytes_, prefix_bytes_max)));
    }
    while (out_.ends_with(' ')) out_.pop_back();
    // The one blank at the end of a line that means something: of the mark above a signature.
    if (space_ && last_line() == "--") out_ += ' ';
    out_ += '\n';
    line_empty_ = true;
    space_ = false;
}

void TextLayout::enter(std::string_view prefix, std::string_view first) {
    if (prefix != first || first_prefix_) {
        if (!first_prefix_) first_prefix_ = prefix_;
        *first_prefix_ += first;
    }
    prefix_ += prefix;
}

void TextLayout::leave(std::size_t prefix_bytes) {
    prefix_.resize(prefix_.size() - prefix_bytes);
    shared_prefix_bytes_ = std::min(shared_prefix_bytes_, prefix_.size());
    if (first_prefix_) first_prefix_->resize(prefix_.size());
}

void TextLayout::append(std::string_view text) {
    if (!line_empty_ && !is_full()) out_ += text;
}

std::string TextLayout::finish() {
    while (!out_.empty() && is_space(out_.back())) out_.pop_back();
    return std::string(truncate_utf8(out_, bytes_max_));
}

}  // namespace mailroom::mime::html
