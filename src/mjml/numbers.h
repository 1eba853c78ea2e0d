// Numbers as MJML computes with them: those of JavaScript, whose quirks end up in class names and
// widths. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mjml {

// The whole number that `text` begins with: 12 for "12.5px".
std::optional<double> leading_integer(std::string_view text);
// The number that `text` begins with: 12.5 for "12.5px".
std::optional<double> leading_number(std::string_view text);

// The shortest text that reads as the same number: "200", "33.333333333333336".
std::string number_text(double number);
inline std::string px(double number) { return number_text(number) + "px"; }

struct Width {
    double number = 0;
    std::string unit;  // "px" where none is written.
    bool is_percent() const { return unit == "%"; }
    std::string text() const { return number_text(number) + unit; }
};
enum class Percent { whole, exact };
// None if it does not begin with a number, as with Liquid.
std::optional<Width> parse_width(std::string_view text, Percent percent = Percent::exact);

enum class Side { top, right, bottom, left };
// One of the sides of "10px 20px" and the like, in whole pixels.
double shorthand_side(std::string_view value, Side side);
// The width of "1px solid red".
double border_width(std::string_view border);

}  // namespace mailroom::mjml
