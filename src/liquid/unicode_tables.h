// Case and letter data of Unicode, sorted by code point; ASCII is left out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mailroom::liquid {

// Every `step`th code point from `begin` to `end` changes by `delta`.
struct CaseRun {
    char32_t begin, end;
    char32_t step;
    std::int32_t delta;
};
// A code point that becomes several, in UTF-8.
struct CaseSpecial {
    char32_t code;
    std::string_view text;
};
struct CodeRange {
    char32_t begin, end;
};

extern const std::span<const CaseRun> upper_runs, lower_runs;
extern const std::span<const CaseSpecial> upper_specials, lower_specials;
// Letters, marks and decimal digits.
extern const std::span<const CodeRange> word_ranges;

}  // namespace mailroom::liquid
