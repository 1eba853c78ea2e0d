// The parts of a request that have members or elements of their own.
#include "base/base64.h"
#include "base/text.h"
#include "outbox/attachments.h"
#include "outbox/request_fields.h"

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
constexpr std::array<std::string_view, 6> attachment_names = {
    "filename", "content_type", "content_id", "content", "path", "url"};

class AttachmentReader {
public:
    explicit AttachmentReader(std::string field) : field_(std::move(field)) {}

    Parsed<AttachmentSource> read(const json::View& object) {
        TRY(require(object, json::View::Type::object, field_));
        TRY(read_members(
            object, field_, attachment_names,
            [&](std::size_t index, const json::View& value) { return read_member(index, value); }));
        if (sources_ != 1) {
            return BadField{field_, "must have one of content, path and url"};
        }
        return std::move(made_);
    }

private:
    Parsed<> read_member(std::size_t member, const json::View& value) {
        const auto field = joined(field_, attachment_names[member]);
        switch (member) {
            case attachment_filename:
                made_.filename = TRY(read_text(value, field, filename_bytes_max));
                return Ok{};
            case attachment_content_type:
                made_.content_type = TRY(read_text(value, field, content_type_bytes_max));
                return Ok{};
            case attachment_content_id:
                made_.content_id = TRY(read_text(value, field, content_id_bytes_max));
                return Ok{};
            default:
                ++sources_;
                return read_source(member, value, field);
        }
    }

    Parsed<> read_source(std::size_t member, const json::View& value, const std::string& field) {
        if (member == attachment_url) {
            made_.kind = AttachmentSource::Kind::url;
            made_.value = TRY(read_url(value, field));
        } else if (member == attachment_path) {
            made_.kind = AttachmentSource::Kind::path;
            made_.value = TRY(read_text(value, field, path_bytes_max));
            const auto path = confined_path(made_.value);
            if (!path) return BadField{field, path.error().message};
        } else {
            TRY(require(value, json::View::Type::text, field));
            auto bytes = decode_lines(value.text());
            if (!bytes) return BadField{field, "must be base64"};
            made_.kind = AttachmentSource::Kind::content;
            made_.value = std::move(*bytes);
        }
        return Ok{};
    }

    const std::string field_;
    AttachmentSource made_;
    int sources_ = 0;
};

}  // namespace

Parsed<std::vector<AttachmentSource>> read_attachments(const json::View& value) {
    TRY(require(value, json::View::Type::list, "attachments"));
    std::vector<AttachmentSource> attachments;
    json::Elements elements(value);
    for (json::View element; elements.next(element);) {
        if (attachments.size() == attachments_max) {
            return BadField{"attachments",
                            "has more than " + std::to_string(attachments_max) + " elements"};
        }
        AttachmentReader reader(indexed("attachments", attachments.size()));
        attachments.push_back(TRY(reader.read(element)));
    }
    return attachments;
}

Parsed<std::vector<mime::HeaderField>> read_headers(const json::View& value) {
    TRY(require(value, json::View::Type::object, "headers"));
    std::vector<mime::HeaderField> headers;
    json::Members members(value);
    std::string_view name;
    for (json::View text; members.next(name, text);) {
        if (headers.size() == headers_max) {
            return BadField{"headers", "has more than " + std::to_string(headers_max) + " members"};
        }
        auto read = TRY(read_text(text, joined("headers", name), header_value_bytes_max));
        headers.push_back({std::string(name), std::move(read)});
    }
    return headers;
}

Parsed<TemplateSource> read_template(const json::View& value) {
    static constexpr std::array<std::string_view, 3> names = {"subject", "text", "html"};
    TRY(require(value, json::View::Type::object, "template"));
    TemplateSource source;
    std::optional<std::string>* const members[] = {&source.subject, &source.text, &source.html};
    const auto read = [&](std::size_t index, const json::View& text) -> Parsed<> {
        const auto field = joined("template", names[index]);
        *members[index] = TRY(read_text(text, field, template_bytes_max));
        return Ok{};
    };
    TRY(read_members(value, "template", names, read));
    if (!source.subject && !source.text && !source.html) {
        return BadField{"template", "must have one of subject, text and html"};
    }
    return source;
}

Parsed<std::vector<std::string>> read_tags(const json::View& value) {
    TRY(require(value, json::View::Type::list, "tags"));
    std::vector<std::string> tags;
    json::Elements elements(value);
    for (json::View element; elements.next(element);) {
        if (tags.size() == tags_max) {
            return BadField{"tags", "has more than " + std::to_string(tags_max) + " elements"};
        }
        const auto field = indexed("tags", tags.size());
        auto tag = TRY(read_text(element, field, tag_bytes_max));
        if (tag.empty()) return BadField{field, "is empty"};
        if (std::ranges::any_of(tag, is_control)) {
            return BadField{field, "has a control character"};
        }
        tags.push_back(std::move(tag));
    }
    return tags;
}

}  // namespace mailroom::outbox
