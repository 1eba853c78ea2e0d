// What a person should look at before a draft is approved. Warnings keep nothing back.
#pragma once

#include "reminders/letter.h"
#include "reminders/row_fields.h"
#include "table/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

struct Warning {
    std::string code;     // For programs: "placeholder".
    std::string message;  // For people.

    bool operator==(const Warning&) const = default;
};

// What a letter to a customer may speak of.
struct KnownFacts {
    std::vector<std::int64_t> cents;  // The amounts: the total and each invoice's.
    std::string currency;
    // Words of the operator's own, in which all links may be that the letter has: settings, and the
    // template that wrote it.
    std::string operators_text;
    std::string company_name;
};

// refusal_text: a model's excuse. placeholder: "[Your Name]", "{{ name }}". foreign_amount and
// foreign_link: what is not this customer's or the operator's. html_differs: the HTML does not say
// what the text says.
std::vector<Warning> warnings_about(const Letter& letter, const KnownFacts& facts);

// Whoever reads the HTML is told something else than who reads the text: other figures or links, or
// more than a fifth of the words. The company's name below does not count.
bool says_something_else(std::string_view html, std::string_view text,
                         std::string_view company_name);

// changed_outside is not stored: it is found when a row is read.
Warning changed_outside();
table::Value warnings_value(const std::vector<Warning>& warnings);
std::vector<Warning> read_warnings(const RowFields& row);

}  // namespace mailroom::reminders
