// Puts words, line breaks, list markers and quote marks together to a text. Private to this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime::html {

class TextLayout {
public:
    explicit TextLayout(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // White space is one space; none at the beginning or end of a line.
    void text(std::string_view text);
    // Every line and space as it is.
    void preformatted(std::string_view text);
    void space() { space_ = space_ || !at_line_start(); }
    // Apart from what is in the line already.
    void cell_gap();

    // Breaks are written when something follows them.
    void line_break() { ++breaks_; }
    // What follows begins a new line, or stands apart by an empty one.
    void new_line() { breaks_ = std::max(breaks_, 1); }
    void new_paragraph() { breaks_ = std::max(breaks_, 2); }
    // Adds to the last line that has something in it.
    void append(std::string_view text);

    // All lines until the matching leave() begin with `prefix`; the first one with `first` instead,
    // which must have the same width.
    void enter(std::string_view prefix, std::string_view first);
    void leave(std::size_t prefix_bytes);

    std::size_t size() const { return out_.size(); }
    // What was written since the text was `size` long.
    std::string_view since(std::size_t size) const {
        return std::string_view(out_).substr(std::min(size, out_.size()));
    }
    // The last line that has something in it.
    std::string_view last_line() const {
        return std::string_view(out_).substr(out_.rfind('\n') + 1);
    }
    bool is_full() const { return out_.size() >= bytes_max_; }
    std::string finish();

private:
    bool at_line_start() const { return line_empty_ || breaks_ > 0; }
    void begin_word();
    void break_line();
    void word(std::string_view word);

    std::string out_;
    std::string prefix_;
    std::optional<std::string> first_prefix_;  // For the next line only.
    std::size_t shared_prefix_bytes_ = 0;      // Of the last line's prefix, still in force.
    std::size_t bytes_max_;
    int breaks_ = 0;
    bool line_empty_ = true;
    bool space_ = false;
};

}  // namespace mailroom::mime::html
