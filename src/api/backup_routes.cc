#include "api/backup_routes.h"

#include "base/log.h"

#include <algorithm>

namespace mailroom::api {

namespace {

constexpr std::size_t name_bytes_max = 100;

// A name becomes the name of a directory: nothing that could lead anywhere else.
bool is_backup_name(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    };
    return !name.empty() && name.size() <= name_bytes_max && name.front() != '.' &&
           std::ranges::all_of(name, fits);
}

Response create(const Call& call, const BackUp& back_up) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"name"});
    if (!body) return body.error();
    const auto name = required_text_member(*body, "name");
    if (!name) return name.error();
    if (!is_backup_name(*name)) {
        return bad_field_response(
            "name", "must be 1 to 100 letters, digits, _, - or ., and not begin with a dot");
    }
    const auto directory = back_up(std::string(*name));
    if (!directory && directory.error().code == Errc::corrupt) {
        // Who asks this has to know which file it is.
        log::error("a backup could not be made", {{"reason", directory.error().message}});
        return error_response(500, "internal", directory.error().message);
    }
    if (!directory) return failure_response(directory.error());
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("name").text(*name);
    write_text(writer, "directory", *directory);
    writer.close_object();
    return json_response(201, std::move(text));
}

}  // namespace

void add_backup_routes(Routes& routes, BackUp back_up) {
    routes.add("POST", "/v1/backups", scope::admin,
               [back_up = std::move(back_up)](const Call& call) { return create(call, back_up); });
}

}  // namespace mailroom::api
