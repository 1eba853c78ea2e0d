#include "program/route.h"

#include "base/log.h"
#include "base/text.h"

namespace mailroom::program {

namespace {

void write_field(json::Writer& writer, const BadField& bad) {
    writer.key("field");
    table::show_text(writer, bad.field);
    writer.key("reason");
    table::show_text(writer, bad.why);
}

// Of one field as members, of several as a list: {"field":…,"reason":…} or {"errors":[…]}.
std::string details_of(const Refusal& refusal) {
    if (refusal.fields.empty()) return refusal.details;
    const bool is_of_the_whole = refusal.fields.size() == 1 && refusal.fields[0].field.empty();
    if (is_of_the_whole) return "";
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    if (refusal.fields.size() == 1) write_field(writer, refusal.fields.front());
    if (refusal.fields.size() > 1) {
        writer.key("errors").open_list();
        for (const auto& bad : refusal.fields) {
            writer.open_object();
            write_field(writer, bad);
            writer.close_object();
        }
        writer.close_list();
    }
    writer.close_object();
    return details;
}

// What a client is told of a failure that is not its own, unless that has a code of its own.
std::string message_of(const Refusal& refusal) {
    const bool is_of_us = refusal.kind == Refusal::Kind::internal && refusal.code == "internal";
    if (is_of_us) return "the request could not be handled";
    const bool is_of_the_store =
        refusal.kind == Refusal::Kind::unavailable && refusal.code == "unavailable";
    if (is_of_the_store) return "the data cannot be reached just now; try again";
    return refusal.text();
}

}  // namespace

void write_refusal(json::Writer& writer, const Refusal& refusal) {
    writer.open_object().key("code").text(refusal.code).key("message");
    table::show_text(writer, message_of(refusal));
    const auto details = details_of(refusal);
    if (!details.empty()) writer.key("details").value() += details;
    writer.close_object();
}

std::optional<std::string_view> Asked::header(std::string_view name) const {
    if (!headers) return std::nullopt;
    for (const auto& [key, value] : *headers) {
        if (ascii_equal_ignoring_case(key, name)) return value;
    }
    return std::nullopt;
}

Rendered render(const Refusal& refusal) {
    const auto& answer = answer_of(refusal.kind);
    if (answer.http_status == 503) {
        log::warn("a request could not be served", {{"reason", refusal.message}});
    } else if (refusal.kind == Refusal::Kind::internal) {
        log::error("a request failed", {{"reason", refusal.message}});
    }
    Rendered rendered;
    rendered.status = answer.http_status;
    json::Writer writer(rendered.body);
    const auto details = details_of(refusal);
    writer.open_object().key("error").open_object();
    writer.key("code").text(refusal.code).key("message");
    table::show_text(writer, message_of(refusal));
    writer.key("details").value() += details.empty() ? "{}" : details;
    writer.close_object().close_object();
    const bool may_pass = answer.http_status == 503 || answer.http_status == 429;
    if (may_pass) rendered.headers.emplace_back("Retry-After", "1");
    return rendered;
}

}  // namespace mailroom::program
