// A person as the API shows them.
#pragma once

#include "people/json_value.h"
#include "people/profile.h"
#include "table/records/record.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::people {

// Attributes of any type, as one object. Read, null takes one away.
struct AttributeChanges {
    table::Item set;
    std::vector<std::string> dropped;
};

struct ShownAttributes {
    static void show(json::Writer& writer, const table::Item& attributes) {
        writer.open_object();
        write_values(writer, attributes);
        writer.close_object();
    }
    static void describe(json::Writer& writer, table::Schemas&) {
        writer.key("type").text("object").key("additionalProperties").boolean(true);
    }
};

}  // namespace mailroom::people

namespace mailroom::table {

template <>
struct Form<people::AttributeChanges> {
    static void read(const json::View& view, people::AttributeChanges& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas& schemas) {
        people::ShownAttributes::describe(writer, schemas);
    }
};

template <>
struct Record<people::Profile> {
    using Profile = people::Profile;
    static constexpr std::string_view record_name = "Person";
    static constexpr auto fields = std::tuple{
        shown("email", &Profile::email, "As it was given; compared in lower case."),
        shown("firstName", &Profile::first_name),
        spelled<people::ShownAttributes>(
            shown("attributes", &Profile::attributes, "Of your own, of any type.")),
        shown("tags", &Profile::tags),
        shown("topics", &Profile::topics,
              "What was said of topics: in, out, or pending until a link is followed."),
        shown("unsubscribed", &Profile::unsubscribed, "No bulk mail goes to them."),
        shown("suppressed", &Profile::suppressed, "No mail at all goes to them."),
        shown("tracking", &Profile::may_track, "Whether opens and clicks may be followed."),
        shown_if_any("source", &Profile::source, "Where the person comes from."),
        shown_if_any("time_zone", &Profile::zone, "Such as Europe/Berlin."),
        shown_if_any("language", &Profile::language, "Such as de or pt-BR."),
        shown("createdAt", &Profile::created),
        shown("updatedAt", &Profile::updated)};
};

}  // namespace mailroom::table
