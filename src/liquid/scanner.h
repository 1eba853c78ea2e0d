// Reads the inside of a tag or an output: values, expressions, filters. Lenient where LiquidJS is:
// what follows a complete value may be left unread.
#pragma once

#include "liquid/diagnostics.h"
#include "liquid/program.h"
#include "liquid/template.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::liquid {

// After an error everything counts as read, so callers' loops end. What is read goes into `program`
// and is referred to by index.
class Scanner {
public:
    // `text` must be kept by the program (its source or its strings).
    Scanner(std::string_view text, Program& program, Diagnostics& diagnostics)
        : text_(text), program_(program), diagnostics_(diagnostics) {}

    bool at_end() const { return position_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    std::string_view rest() const { return text_.substr(position_); }
    std::size_t position() const { return position_; }
    void set_position(std::size_t position) { position_ = position; }
    void advance(std::size_t bytes = 1) { position_ = std::min(position_ + bytes, text_.size()); }
    void skip_blanks();
    // Past the next `mark`, or to the end.
    void skip_past(std::string_view mark);
    void fail(std::string message);

    std::string_view read_name();              // Empty when there is none.
    std::optional<std::string> read_quoted();  // With its escapes resolved.
    Index read_value();                        // An operand, or none.
    Index read_chain();                        // `none` after reporting an error.
    struct Option {
        std::string_view name;
        Index value = no_index;
    };
    std::optional<Option> read_option();  // name[: value]

    // A path for the filters that take one as a text. `none` when there is none.
    Index read_path();

private:
    std::optional<Operator> read_operator();
    Index read_literal();
    Index read_number();
    Index read_range();
    bool read_segments(bool from_start, std::vector<Segment>& segments);
    bool read_bracket(std::vector<Segment>& segments);
    Index with_segments(Index root, std::size_t begin);
    Range read_expression();
    Range read_filters();
    bool read_filter(std::vector<FilterUse>& filters);
    Range read_arguments();
    Index add_literal(Value value, std::size_t begin);
    Index add_operand(Operand::Type type, Index at, std::size_t begin);
    bool boundary_at(std::size_t position) const;

    std::string_view text_;
    std::size_t position_ = 0;
    Program& program_;
    Diagnostics& diagnostics_;
    int depth_ = 0;
};

}  // namespace mailroom::liquid
