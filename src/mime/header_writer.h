// Writes header fields, encoded and folded, so that no value can become a second field.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime {

constexpr std::size_t line_bytes_preferred = 78;  // RFC 5322, 2.1.1.
constexpr std::size_t line_bytes_max = 998;

// One field. Folds between tokens where a line would pass 78 characters; a token is never split, so
// callers keep tokens below `line_bytes_max`. CR, LF and NUL never reach the output: text() encodes
// them, the others assert that there are none.
class HeaderWriter {
public:
    // `out` must outlive this object. Writes the name and the colon.
    HeaderWriter(std::string& out, std::string_view name);

    // Words of people: white space between them stays, what is not plain ASCII is encoded.
    void text(std::string_view utf8);
    // The same for what must reach the reader as it is: nothing is encoded.
    void plain(std::string_view text);
    // A token after one space or a fold.
    void token(std::string_view token);
    // More of the same token.
    void append(std::string_view text);
    // `; name=value`, quoted if need be, or as RFC 2231 has it when not ASCII or too long for a
    // line.
    void parameter(std::string_view name, std::string_view utf8);
    // Ends the field: to be called once, last.
    void end();

private:
    std::size_t column() const { return out_.size() - line_start_; }
    void fold();
    void word_after(std::string_view space, std::string_view word);
    void encoded_after(std::string_view space, std::string_view utf8);
    void extended_parameter(std::string_view name, std::string_view utf8);

    std::string& out_;
    std::size_t line_start_;
    bool at_value_start_ = true;  // Nothing stands after the colon yet.
};

}  // namespace mailroom::mime
