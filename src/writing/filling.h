// Texts with holes, in the template language: checked when somebody writes them down, and filled
// for one reader.
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "liquid/json_value.h"
#include "liquid/owned_value.h"
#include "liquid/template.h"
#include "table/records/form.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::writing {

inline constexpr std::size_t template_bytes_max = 64 * 1024;

// Says what is wrong with that member, if it is no template.
void check_template(std::string_view text, std::string_view member, table::Reading& reading);

// The parts of one letter, filled with the same data.
class Filling {
public:
    // Both must outlive this object; `data` is an object.
    Filling(const liquid::OwnedValue& data, const Clock& clock) : data_(data), clock_(clock) {}

    // `unprocessable` with the code template_failed. What is missing is remembered.
    Answer<std::string> fill(std::string_view text, liquid::Escape escape = liquid::Escape::none);
    // `unprocessable` with the code missing_variables, which names each once: a hole is never left.
    Answer<> check() const;

private:
    const liquid::OwnedValue& data_;
    const Clock& clock_;
    std::vector<std::string> missing_;
};

}  // namespace mailroom::writing

namespace mailroom::table {

// Data for the holes, as a request has it.
template <>
struct Form<liquid::OwnedValue> {
    static void read(const json::View& view, liquid::OwnedValue& to, Reading& reading) {
        if (view.type() != json::View::Type::object) return reading.wrong("must be an object");
        to = liquid::value_from_json(view);
    }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("object"); }
};

}  // namespace mailroom::table
