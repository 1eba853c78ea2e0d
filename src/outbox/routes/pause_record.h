// Pauses as the API shows them.
#pragma once

#include "outbox/sending/pauses.h"
#include "table/records/record.h"

namespace mailroom::table {

template <>
struct Form<outbox::PauseScope> {
    static std::string wanted() { return "must be " + std::string(outbox::PauseScope::wanted); }
    static void show(json::Writer& writer, const outbox::PauseScope& scope) {
        show_text(writer, scope.text());
    }
    static void read(const json::View& view, outbox::PauseScope& to, Reading& reading) {
        const bool is_text = view.type() == json::View::Type::text;
        const auto scope = is_text ? parse(view.text()) : std::nullopt;
        if (scope) to = *scope;
        if (!scope) reading.wrong(wanted());
    }
    static std::optional<outbox::PauseScope> parse(std::string_view text) {
        const auto scope = outbox::PauseScope::parse(text);
        return scope ? std::optional(*scope) : std::nullopt;
    }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("string"); }
};

template <>
struct Record<outbox::Pause> {
    using Pause = outbox::Pause;
    static constexpr std::string_view record_name = "Pause";
    static constexpr auto fields = std::tuple{
        shown("scope", &Pause::scope),
        shown(
            "state",
            [](const Pause& p) { return std::string(p.is_resuming ? "resuming" : "paused"); },
            "paused, or resuming: mails are being let go."),
        shown("since", &Pause::since), shown("by", &Pause::by), shown("reason", &Pause::reason)};
};

}  // namespace mailroom::table
