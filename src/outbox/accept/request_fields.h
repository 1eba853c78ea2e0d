// Reading the members of a request, each with the name that a person knows it by. For the files
// that read and compose requests.
#pragma once

#include "base/refusal.h"
#include "json/json.h"
#include "mime/address.h"
#include "outbox/accept/request.h"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::outbox {

template <class T = Ok>
using Parsed = Result<T, BadField>;

// All that is wrong with a request.
class Faults {
public:
    void add(BadField bad) {
        ++count_;
        if (bad_.size() < shown_max) bad_.push_back(std::move(bad));
    }
    // Keeps the value, or what is wrong with it.
    template <class T, class To>
    void keep(Parsed<T> parsed, To& to) {
        if (parsed) to = *std::move(parsed);
        if (!parsed) add(std::move(parsed).error());
    }
    std::size_t count() const { return count_; }
    std::vector<BadField> take() { return std::move(bad_); }

private:
    static constexpr std::size_t shown_max = 100;  // Nobody reads on.
    std::size_t count_ = 0;
    std::vector<BadField> bad_;
};

std::string indexed(std::string_view field, std::size_t index);  // "to[1]"
// "template.html". A long name is cut.
std::string joined(std::string_view field, std::string_view member_name);

// Of this type; the error says which one it must be.
Parsed<json::View> require(const json::View& value, json::View::Type type, std::string_view field);
Parsed<std::string> read_text(const json::View& value, std::string_view field,
                              std::size_t bytes_max);
Parsed<mime::Mailbox> read_mailbox(const json::View& value, std::string_view field);
// A string, or a list of at most `count_max`.
std::vector<mime::Mailbox> read_mailboxes(const json::View& value, std::string_view field,
                                          std::size_t count_max, Faults& faults);
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
void read_members(const json::View& object, std::string_view field,
                  std::span<const std::string_view> known, Faults& faults, Read read) {
    std::size_t seen = 0;
    json::Members members(object);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        std::size_t index = 0;
        while (index < known.size() && known[index] != name) ++index;
        const auto bit = std::size_t{1} << index;
        if (index == known.size()) {
            faults.add(unknown_member(name, field, known));
        } else if ((seen & bit) != 0) {
            faults.add({joined(field, name), "is there twice"});
        } else {
            seen |= bit;
            if (!value.is_null()) read(index, value);
        }
    }
}

// Calls `read(element, name)` for each element of a list of at most `count_max`; "tags[1]".
template <class Read>
void read_elements(const json::View& value, std::string_view field, std::size_t count_max,
                   Faults& faults, Read read) {
    const auto list = require(value, json::View::Type::list, field);
    if (!list) return faults.add(list.error());
    json::Elements elements(value);
    std::size_t count = 0;
    for (json::View element; elements.next(element); ++count) {
        if (count == count_max) {
            return faults.add(
                {std::string(field), "has more than " + std::to_string(count_max) + " elements"});
        }
        read(element, indexed(field, count));
    }
}

// attachments, headers, template, tags, engagement: see request_parts.cc.
std::vector<AttachmentSource> read_attachments(const json::View& value, Faults& faults);
std::vector<mime::HeaderField> read_headers(const json::View& value, Faults& faults);
TemplateSource read_template(const json::View& value, Faults& faults);
std::vector<std::string> read_tags(const json::View& value, Faults& faults);
Engagement read_engagement(const json::View& value, Faults& faults);
// Of a mail with links that are somebody's own.
BadField several_recipients();

}  // namespace mailroom::outbox
