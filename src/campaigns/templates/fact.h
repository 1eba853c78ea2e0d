// Something about a template that whoever sends it should know.
#pragma once

#include "table/records/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::campaigns {

struct Fact {
    std::string code = {};     // For programs: "unknown_variable".
    std::string message = {};  // For people: a sentence.
    std::string key = {};      // Of the template that has it; empty: of the mail as a whole.
    std::string part = {};     // "html"; empty: of no part.
    std::string language = {};
    std::int64_t line = 0, column = 0;  // From 1; 0: at no place.
    // The place is one of what was rendered, not of the template.
    bool is_of_rendered = false;

    static constexpr std::string_view record_name = "TemplateFact";
    static constexpr auto fields = std::tuple{
        table::shown("code", &Fact::code, "For programs: unknown_variable."),
        table::shown("message", &Fact::message, "For people."),
        table::shown_or_omitted("template", &Fact::key,
                                "Which of them, if it is the fault of one."),
        table::shown_or_omitted("part", &Fact::part, "subject, preheader, html or text."),
        table::shown_or_omitted("language", &Fact::language, "Of which translation."),
        table::shown_or_omitted("line", &Fact::line, "From 1."),
        table::shown_or_omitted("column", &Fact::column),
        table::shown_or_omitted("rendered", &Fact::is_of_rendered,
                                "The line is one of the rendered text, not of the template.")};
};

}  // namespace mailroom::campaigns
