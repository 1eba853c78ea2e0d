// The line above a quote that says who wrote it and when: `On …, Ann <ann@example.com> wrote:`.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mailroom::mime {

struct AttributionMark {
    std::size_t lines = 0;  // How many, from the first on; 0 when they are no attribution.
    // A date and a name, so that nothing but a quote can be meant even when none comes after it.
    bool is_complete = false;
    // The second, the time zone and the address: only programs write so, and those that do
    // (Yahoo, Zoho) mark what they quote by nothing else.
    bool is_exact = false;
};

// Is there an attribution that begins at the first line? In twenty languages, and over up to three
// lines, as mail programs break them. Every word of it must be a part of a date, of a name or of an
// address, so the sentences of a person are none, and neither is a sentence with an attribution in
// the lines below it. Lines are without their line ends. Constant time.
AttributionMark attribution_at(std::span<const std::string_view> lines);

// Without the colon that ends it and the blanks before that: `a écrit :`, a fullwidth colon. Empty
// when no colon ends it.
std::string_view without_colon(std::string_view line);

}  // namespace mailroom::mime
