// What a person should look at before a text leaves that a machine may have written, or another
// program changed. Warnings keep nothing back.
#pragma once

#include "table/records/record.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::writing {

struct Warning {
    std::string code;     // For programs: "placeholder".
    std::string message;  // For people.

    static constexpr std::string_view record_name = "Warning";
    static constexpr auto fields =
        std::tuple{table::Member{"code", "code", &Warning::code, table::Need::required, ""},
                   table::Member{"message", "message", &Warning::message, table::Need::usual, ""}};
    bool operator==(const Warning&) const = default;
};

// A text as its reader gets it. Views, as long as the call.
struct Readable {
    std::string_view subject, text, html;

    std::string all() const;  // In words: HTML without its marks.
};

// What a text may speak of.
struct KnownFacts {
    // Words of the operator's own, in which all links may be that the text has: settings, and the
    // template that wrote it.
    std::string operators_text;
    std::string signature;  // Below the HTML, not below the text.
    // Amounts of money in it that are not its reader's: only who knows the reader can tell.
    std::vector<std::string> foreign_amounts = {};
};

// refusal_text: a model's excuse. placeholder: "[Your Name]", "{{ name }}". foreign_amount and
// foreign_link: what is not the reader's or the operator's. html_differs: the HTML does not say
// what the text says.
std::vector<Warning> warnings_about(const Readable& written, const KnownFacts& facts);

// Whoever reads the HTML is told something else than who reads the text: other figures or links, or
// more than a fifth of the words. The signature below does not count.
bool says_something_else(std::string_view html, std::string_view text, std::string_view signature);

}  // namespace mailroom::writing
