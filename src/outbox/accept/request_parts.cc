// The parts of a request that have members or elements of their own.
#include "base/base64.h"
#include "base/text.h"
#include "outbox/accept/request_fields.h"
#include "outbox/accept/request_members.h"
#include "outbox/fetching/attachments.h"

#include <algorithm>
#include <array>

namespace mailroom::outbox {

namespace {

constexpr std::size_t content_type_bytes_max = 255;
constexpr std::size_t content_id_bytes_max = 200;
constexpr std::size_t header_value_bytes_max = 16 * 1024;  // What mime::build() takes.

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// As it is, or in lines, as MIME and many libraries write it.
std::optional<std::string> decode_lines(std::string_view text) {
    if (text.find_first_of("\r\n") == text.npos) return base64_decode(text);
    std::string joined_lines;
    joined_lines.reserve(text.size());
    std::ranges::copy_if(text, std::back_inserter(joined_lines),
                         [](char c) { return c != '\r' && c != '\n'; });
    return base64_decode(joined_lines);
}

enum AttachmentMember : std::size_t {
    attachment_filename,
    attachment_content_type,
    attachment_content_id,
    attachment_content,
    attachment_path,
    attachment_url,
};
// In the order of AttachmentMember.
constexpr auto attachment_names = member_names_of(attachment_members);

class AttachmentReader {
public:
    AttachmentReader(std::string field, Faults& faults)
        : field_(std::move(field)), faults_(faults) {}

    AttachmentSource read(const json::View& object) {
        const auto checked = require(object, json::View::Type::object, field_);
        if (!checked) {
            faults_.add(checked.error());
            return {};
        }
        const auto before = faults_.count();
        read_members(
            object, field_, attachment_names, faults_,
            [&](std::size_t index, const json::View& value) { read_member(index, value); });
        const bool is_readable = faults_.count() == before;
        if (is_readable && sources_ != 1)
            faults_.add({field_, "must have one of content, path and url"});
        return std::move(made_);
    }

private:
    void read_member(std::size_t member, const json::View& value) {
        const auto field = joined(field_, attachment_names[member]);
        switch (member) {
            case attachment_filename:
                return faults_.keep(read_text(value, field, filename_bytes_max), made_.filename);
            case attachment_content_type:
                return faults_.keep(read_text(value, field, content_type_bytes_max),
                                    made_.content_type);
            case attachment_content_id:
                return faults_.keep(read_text(value, field, content_id_bytes_max),
                                    made_.content_id);
            default:
                ++sources_;
                read_source(member, value, field);
        }
    }

    void read_source(std::size_t member, const json::View& value, const std::string& field) {
        if (member == attachment_url) {
            made_.kind = AttachmentSource::Kind::url;
            faults_.keep(read_url(value, field), made_.value);
        } else if (member == attachment_path) {
            made_.kind = AttachmentSource::Kind::path;
            faults_.keep(read_path(value, field), made_.value);
        } else {
            made_.kind = AttachmentSource::Kind::content;
            faults_.keep(read_content(value, field), made_.value);
        }
    }

    static Parsed<std::string> read_path(const json::View& value, const std::string& field) {
        auto text = TRY(read_text(value, field, path_bytes_max));
        const auto path = confined_path(text);
        if (!path) return BadField{field, path.error().message};
        return text;
    }

    static Parsed<std::string> read_content(const json::View& value, const std::string& field) {
        TRY(require(value, json::View::Type::text, field));
        auto bytes = decode_lines(value.text());
        if (!bytes) return BadField{field, "must be base64"};
        return *std::move(bytes);
    }

    const std::string field_;
    Faults& faults_;
    AttachmentSource made_;
    int sources_ = 0;
};

Parsed<std::string> read_tag(const json::View& value, const std::string& field) {
    auto tag = TRY(read_text(value, field, tag_bytes_max));
    if (tag.empty()) return BadField{field, "is empty"};
    if (std::ranges::any_of(tag, is_control)) {
        return BadField{field, "has a control character"};
    }
    return tag;
}

}  // namespace

std::vector<AttachmentSource> read_attachments(const json::View& value, Faults& faults) {
    std::vector<AttachmentSource> attachments;
    read_elements(value, "attachments", attachments_max, faults,
                  [&](const json::View& element, std::string field) {
                      AttachmentReader reader(std::move(field), faults);
                      attachments.push_back(reader.read(element));
                  });
    return attachments;
}

std::vector<mime::HeaderField> read_headers(const json::View& value, Faults& faults) {
    std::vector<mime::HeaderField> headers;
    const auto object = require(value, json::View::Type::object, "headers");
    if (!object) {
        faults.add(object.error());
        return headers;
    }
    json::Members members(value);
    std::string_view name;
    for (json::View text; members.next(name, text);) {
        if (headers.size() == headers_max) {
            faults.add({"headers", "has more than " + std::to_string(headers_max) + " members"});
            break;
        }
        auto& header = headers.emplace_back();
        header.name = name;
        faults.keep(read_text(text, joined("headers", name), header_value_bytes_max), header.value);
    }
    return headers;
}

TemplateSource read_template(const json::View& value, Faults& faults) {
    static constexpr auto names = member_names_of(template_members);
    TemplateSource source;
    const auto object = require(value, json::View::Type::object, "template");
    if (!object) {
        faults.add(object.error());
        return source;
    }
    const auto before = faults.count();
    std::optional<std::string>* const members[] = {&source.subject, &source.text, &source.html};
    read_members(value, "template", names, faults, [&](std::size_t index, const json::View& text) {
        const auto field = joined("template", names[index]);
        faults.keep(read_text(text, field, template_bytes_max), *members[index]);
    });
    const bool is_empty = !source.subject && !source.text && !source.html;
    if (is_empty && faults.count() == before) {
        faults.add({"template", "must have one of subject, text and html"});
    }
    return source;
}

std::vector<std::string> read_tags(const json::View& value, Faults& faults) {
    std::vector<std::string> tags;
    read_elements(value, "tags", tags_max, faults,
                  [&](const json::View& element, const std::string& field) {
                      faults.keep(read_tag(element, field), tags.emplace_back());
                  });
    return tags;
}

Engagement read_engagement(const json::View& value, Faults& faults) {
    Engagement engagement;
    table::Reading reading;
    {
        const table::Reading::Inside inside(reading, "engagement");
        table::read_object(value, engagement, reading);
    }
    for (auto& bad : reading.take()) faults.add(std::move(bad));
    return engagement;
}

BadField several_recipients() {
    return {"engagement", "needs a mail to exactly one recipient: its links are one person's own"};
}

}  // namespace mailroom::outbox
