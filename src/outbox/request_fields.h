// Reading the members of a request, each with the name that a person knows it by. For the files
// that read and compose requests.
#pragma once

#include "base/result.h"
#include "json/json.h"
#include "mime/address.h"
#include "outbox/request.h"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

template <class T = Ok>
using Parsed = Result<T, BadField>;

std::string indexed(std::string_view field, std::size_t index);  // "to[1]"
// "template.html". A long name is cut.
std::string joined(std::string_view field, std::string_view member_name);

// Of this type; the error says which one it must be.
Parsed<json::View> require(const json::View& value, json::View::Type type, std::string_view field);
Parsed<std::string> read_text(const json::View& value, std::string_view field,
                              std::size_t bytes_max);
Parsed<mime::Mailbox> read_mailbox(const json::View& value, std::string_view field);
// A string, or a list of at most `count_max`.
Parsed<std::vector<mime::Mailbox>> read_mailboxes(const json::View& value, std::string_view field,
                                                  std::size_t count_max);
// An http or https URL, written anew.
Parsed<std::string> read_url(const json::View& value, std::string_view field);
// The JSON text of an object.
Parsed<std::string> read_object_text(const json::View& value, std::string_view field,
                                     std::size_t bytes_max);

BadField unknown_member(std::string_view name, std::string_view field,
                        std::span<const std::string_view> known);

// Calls `read(index, value)` for each member of `object` that is not null, where `index` is that of
// its name in `known`. Refuses members that are not known or are there twice.
template <class Read>
Parsed<> read_members(const json::View& object, std::string_view field,
                      std::span<const std::string_view> known, Read read) {
    std::size_t seen = 0;
    json::Members members(object);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        std::size_t index = 0;
        while (index < known.size() && known[index] != name) ++index;
        if (index == known.size()) return unknown_member(name, field, known);
        const auto bit = std::size_t{1} << index;
        if ((seen & bit) != 0) return BadField{joined(field, name), "is there twice"};
        seen |= bit;
        if (!value.is_null()) TRY(read(index, value));
    }
    return Ok{};
}

// attachments, headers, template, tags: see request_parts.cc.
Parsed<std::vector<AttachmentSource>> read_attachments(const json::View& value);
Parsed<std::vector<mime::HeaderField>> read_headers(const json::View& value);
Parsed<TemplateSource> read_template(const json::View& value);
Parsed<std::vector<std::string>> read_tags(const json::View& value);

}  // namespace mailroom::outbox
