// What speaks for it that somebody agreed to mail, or did not want it any more.
#pragma once

#include "table/records/record.h"

#include <string>
#include <string_view>

namespace mailroom::people {

struct Evidence {
    std::string source = {};   // "api", "form", "link", "import", "preferences", "mail": a word.
    std::string ip = {};       // Of whoever did it.
    std::string form = {};     // The page or form: its address or name.
    std::string wording = {};  // What it said there.
    std::string by = {};       // Who entered it; empty: the person.

    static constexpr std::string_view record_name = "Evidence";
    static constexpr auto fields = std::tuple{
        table::kept_if_any("source", &Evidence::source,
                           "api, form, link, import, preferences, mail: a word."),
        table::kept_if_any("ip", &Evidence::ip, "The address of whoever did it."),
        table::kept_if_any("form", &Evidence::form, "The page or form: its address or name."),
        table::kept_if_any("wording", &Evidence::wording, "What it said there."),
        table::kept_if_any("by", &Evidence::by, "Who entered it, if it was not the person.")};
    bool operator==(const Evidence&) const = default;
};

// With no more of each than a row should hold.
Evidence fit_for_row(Evidence evidence);

}  // namespace mailroom::people
