// Reads any bytes as a filter of people, in its text form and, where the first byte says so, as
// JSON. What can be read is written in both forms, is the same filter when it is read again, and is
// asked of somebody in both ways that there are.
#include "json/json.h"
#include "people/segments/crowd.h"
#include "people/segments/filter_json.h"
#include "people/segments/filter_text.h"
#include "people/segments/holds.h"
#include "people/segments/question.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using people::Filter;

const table::Item& somebody() {
    static const table::Item row{
        {"a", "Ann é😀"},
        {"b", table::Value(12)},
        {"c", table::Value::list({"x", table::Value(3), table::Value(true)})},
        {"d", "2026-07-05T10:30:00+02:00"},
        {"e", table::Value::map(table::Item{{"a", "x"}, {"b", table::Value::null()}})},
        {"tags", table::Value::list({"a", "b"})},
        {"mailroomTopics",
         table::Value::map(table::Item{{"a", "in"}, {"b", "out"}, {"c", "pending"}})},
        {"unsubscribed", "no"}};
    return row;
}

std::optional<Filter> read_json(std::string_view text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    if (!view) return std::nullopt;
    table::Reading reading;
    Filter filter;
    table::Form<Filter>::read(*view, filter, reading);
    return reading.is_good() ? std::optional(std::move(filter)) : std::nullopt;
}

void check_forms(const Filter& filter) {
    const auto text = people::text_of(filter);
    // A text may be longer than the JSON that it was made of.
    if (text.size() <= people::filter_bytes_max) {
        const auto read = people::parse_filter(text);
        assert(read && *read == filter);
    }
    std::string json;
    json::Writer writer(json);
    table::Form<Filter>::show(writer, filter);
    const auto read = read_json(json);
    assert(read && *read == filter);
}

void check_answers(const Filter& filter) {
    const auto now = from_unix_ms(1'770'000'000'000);
    people::Activity activity;
    const auto opened = now - std::chrono::hours(100);
    activity.done[2] = {opened, 3, {opened - std::chrono::hours(200), opened}};
    const bool is_meant = people::holds(filter, {somebody(), &activity}, now);
    people::Crowd crowd;
    crowd.put("ann@example.com", somebody());
    crowd.put("ann@example.com", activity);
    assert(people::Question(crowd, filter, now).count() == (is_meant ? 1U : 0U));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::optional<Filter> filter;
    if (bytes.starts_with('{')) {
        filter = read_json(bytes);
    } else if (auto read = people::parse_filter(bytes); read) {
        filter = *std::move(read);
    }
    if (!filter) return 0;
    check_forms(*filter);
    check_answers(*filter);
    return 0;
}
