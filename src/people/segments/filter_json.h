// The form of filters that programs write: a JSON object for each test.
//
//   {"all": [filter, …]}   {"any": [filter, …]}   {"not": filter}
//   {"attribute": path, how: value}
//        how: equals above at_least below at_most contains begins_with ends_with
//   {"attribute": path, "one_of": [value, …]}   {"attribute": path, "exists": true | false}
//   {"tag": "vip"}   {"tag": ["vip", "beta"]}   {"topic": "news"}   {"segment": "id"}
//   {"did": deed}   {"did": deed, "since" | "before": moment}   {"did": deed, "times": 3}
//
//   path   a name, or a list of names that lead into a map
//   value  a text, a number, true, false, {"moment": "30 days ago"}, or {"number": "0.1"} for one
//          that JSON's own numbers cannot hold
#pragma once

#include "people/segments/filter.h"
#include "table/records/form.h"

namespace mailroom::table {

template <>
struct Form<people::Filter> {
    static void show(json::Writer& writer, const people::Filter& filter);
    static void read(const json::View& view, people::Filter& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas& schemas);
};

}  // namespace mailroom::table
