#include "api/suppression_routes.h"

#include "base/time_format.h"

namespace mailroom::api {

namespace {

constexpr std::size_t reason_bytes_max = 500;

void write_suppression(json::Writer& writer, const outbox::Suppression& suppression) {
    writer.open_object();
    write_text(writer, "address", suppression.address);
    writer.key("stream");
    if (suppression.stream) writer.text(name_of(*suppression.stream));
    if (!suppression.stream) writer.null();
    write_text(writer, "reason", suppression.reason);
    writer.key("at").text(format_rfc3339(suppression.at)).close_object();
}

Response list(const Call& call, outbox::Suppressions& suppressions) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto found = suppressions.list(page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->items, found->next, write_suppression);
}

Response show(const std::string& address, outbox::Suppressions& suppressions) {
    const auto found = suppressions.find(address);
    if (!found) return failure_response(found.error());
    if (found->empty()) return not_found_response(address + " is not suppressed");
    return page_response(*found, std::nullopt, write_suppression);
}

Response add(const Call& call, outbox::Suppressions& suppressions) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"address", "stream", "reason"});
    if (!body) return body.error();
    const auto address = required_text_member(*body, "address");
    if (!address) return address.error();
    const auto stream_name = text_member(*body, "stream");
    if (!stream_name) return stream_name.error();
    const auto reason = text_member(*body, "reason");
    if (!reason) return reason.error();
    if (*reason && (*reason)->size() > reason_bytes_max) {
        return bad_field_response("reason", "must be at most 500 bytes");
    }
    std::optional<outbox::Stream> stream;
    if (*stream_name) {
        stream = outbox::stream_named(**stream_name);
        if (!stream) return bad_field_response("stream", "must be transactional or bulk");
    }
    const auto added = suppressions.add(*address, stream, reason->value_or("request"));
    if (!added && added.error().code == Errc::invalid) {
        return bad_field_response("address", "is no e-mail address: " + added.error().message);
    }
    if (!added) return failure_response(added.error());
    return object_response(201, *added, write_suppression);
}

Response remove(const std::string& address, outbox::Suppressions& suppressions) {
    const auto removed = suppressions.remove(address);
    if (!removed) return failure_response(removed.error());
    if (!*removed) return not_found_response(address + " is not suppressed");
    return no_content_response();
}

}  // namespace

void add_suppression_routes(Routes& routes, outbox::Suppressions& suppressions) {
    routes.add("GET", "/v1/suppressions?limit&after", scope::read,
               [&suppressions](const Call& call) { return list(call, suppressions); });
    routes.add("POST", "/v1/suppressions", scope::send,
               [&suppressions](const Call& call) { return add(call, suppressions); });
    routes.add("GET", "/v1/suppressions/{address}", scope::read, [&suppressions](const Call& call) {
        return show(call.parameter("address"), suppressions);
    });
    routes.add("DELETE", "/v1/suppressions/{address}", scope::send,
               [&suppressions](const Call& call) {
                   return remove(call.parameter("address"), suppressions);
               });
}

}  // namespace mailroom::api
