// How the outbox's words are spelled in queries and JSON.
#pragma once

#include "base/clock.h"
#include "outbox/mail/mail.h"
#include "people/stream_form.h"
#include "table/records/form.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// A moment that is told in whole seconds.
struct WholeSecond {
    Time at;
};

// One of a list of texts.
void describe_names(json::Writer& writer, const std::vector<std::string_view>& names);

}  // namespace mailroom::outbox

namespace mailroom::table {

template <>
struct Form<outbox::WholeSecond> {
    static void show(json::Writer& writer, const outbox::WholeSecond& second) {
        InSeconds::show(writer, second.at);
    }
    static void describe(json::Writer& writer, Schemas& schemas) {
        InSeconds::describe(writer, schemas);
    }
};

template <>
struct Form<outbox::State> {
    static std::string wanted();
    static void show(json::Writer& writer, outbox::State state) { writer.text(name_of(state)); }
    static void read(const json::View& view, outbox::State& to, Reading& reading);
    static std::optional<outbox::State> parse(std::string_view text) {
        return outbox::state_named(text);
    }
    static void describe(json::Writer& writer, Schemas& schemas);
};

template <>
struct Form<outbox::Recipient::State> {
    using State = outbox::Recipient::State;
    static void show(json::Writer& writer, State state) { writer.text(name_of(state)); }
    static void describe(json::Writer& writer, Schemas& schemas);
};

}  // namespace mailroom::table
