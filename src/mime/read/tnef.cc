#include "mime/read/tnef.h"

#include "base/text.h"
#include "mime/charset.h"

#include <algorithm>
#include <cstdint>

namespace mailroom::mime {
namespace {

constexpr std::uint32_t signature = 0x223e9f78;
constexpr std::size_t attachments_max = 200;  // A mail has a handful.

// The low half of the attribute ids of [MS-OXTNEF], 2.1.3.2.
enum class Attribute : std::uint16_t {
    body = 0x800c,
    attach_data = 0x800f,
    attach_title = 0x8010,
    attach_rendering = 0x9002,  // The first of each attachment.
    message_properties = 0x9003,
    attach_properties = 0x9005,
    code_page = 0x9007,
};

enum class Property : std::uint16_t {
    body = 0x1000,
    html = 0x1013,
    attach_data = 0x3701,
    attach_name = 0x3704,
    attach_long_name = 0x3707,
    attach_media_type = 0x370e,
    attach_content_id = 0x3712,
    internet_code_page = 0x3fde,
};

// Little-endian numbers and byte runs. After a read past the end it stays failed and gives zeros.
class Cursor {
public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

    bool failed() const { return failed_; }
    bool at_end() const { return bytes_.empty() || failed_; }
    std::string_view take(std::size_t count) {
        if (count > bytes_.size()) {
            failed_ = true;
            bytes_ = {};
            return {};
        }
        const auto taken = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return taken;
    }
    std::uint32_t number(std::size_t width) {
        const auto raw = take(width);
        std::uint32_t value = 0;
        for (std::size_t i = raw.size(); i-- > 0;) {
            value = value << 8 | static_cast<unsigned char>(raw[i]);
        }
        return value;
    }
    // Values of changing length fill up to four bytes.
    std::string_view take_padded(std::size_t count) {
        const auto taken = take(count);
        if (const auto rest = count % 4; rest != 0 && !failed_) {
            take(std::min(4 - rest, bytes_.size()));
        }
        return taken;
    }

private:
    std::string_view bytes_;
    bool failed_ = false;
};

std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

std::string charset_of(std::uint32_t code_page) {
    return code_page == 65001 ? "utf-8" : "windows-" + std::to_string(code_page);
}

// [MS-OXCDATA], 2.11.1: the width of a fixed value, or 0 for one of changing length.
std::size_t fixed_width(std::uint32_t type) {
    switch (type) {
        case 0x0001:
            return 4;  // Null
        case 0x0002:
        case 0x0003:
        case 0x0004:
        case 0x000a:
        case 0x000b:
            return 4;
        case 0x0005:
        case 0x0006:
        case 0x0007:
        case 0x0014:
        case 0x0040:
            return 8;
        case 0x0048:
            return 16;
        default:
            return 0;
    }
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : cursor_(bytes) {}

    std::optional<Tnef> read() {
        if (cursor_.number(4) != signature) return std::nullopt;
        cursor_.number(2);  // The key: of no use to a reader.
        while (!cursor_.at_end()) {
            cursor_.number(1);  // Message or attachment; the id says as much.
            const auto id = cursor_.number(4);
            const auto data = cursor_.take(cursor_.number(4));
            cursor_.number(2);  // A checksum that several writers get wrong.
            if (cursor_.failed()) break;
            take(static_cast<Attribute>(id & 0xffff), data);
        }
        const auto is_lost = [](const TnefAttachment& attachment) {
            return !attachment.has_content || (attachment.is_object && attachment.content.empty());
        };
        tnef_.is_broken =
            tnef_.is_broken || cursor_.failed() || std::ranges::any_of(tnef_.attachments, is_lost);
        return std::move(tnef_);
    }

private:
    void take(Attribute attribute, std::string_view data) {
        switch (attribute) {
            case Attribute::code_page:
                charset_ = charset_of(Cursor(data).number(4));
                break;
            case Attribute::body:
                tnef_.text = decoded(until_nul(data));
                break;
            case Attribute::attach_rendering:
                begin_attachment(data);
                break;
            case Attribute::attach_title:
                set_name(decoded(until_nul(data)), false);
                break;
            case Attribute::attach_data:
                set_content(data);
                break;
            case Attribute::message_properties:
            case Attribute::attach_properties:
                read_properties(data);
                break;
            default:
                break;
        }
    }

    std::string decoded(std::string_view text) const { return to_utf8(text, charset_).text; }

    // The rendering begins with the type: 1 for a file, 2 for an object ([MS-OXTNEF], 2.1.3.3.15).
    void begin_attachment(std::string_view rendering) {
        inside_ = tnef_.attachments.size() < attachments_max;
        has_long_name_ = false;
        constexpr std::uint32_t object_type = 2;
        if (inside_) {
            tnef_.attachments.emplace_back().is_object = Cursor(rendering).number(2) == object_type;
        }
        tnef_.is_broken = tnef_.is_broken || !inside_;
    }

    void set_name(std::string name, bool is_long) {
        if (!inside_ || name.empty() || (has_long_name_ && !is_long)) return;
        tnef_.attachments.back().name = std::move(name);
        has_long_name_ = is_long;
    }

    void set_content(std::string_view content) {
        if (!inside_) return;
        tnef_.attachments.back().content = content;
        tnef_.attachments.back().has_content = true;
    }

    // A file that is an object of another program, or a mail, stands in a property: the id of the
    // interface that reads it, then its bytes ([MS-OXTNEF], 2.1.3.4).
    void set_data_property(std::uint32_t type, std::string_view value) {
        constexpr std::uint32_t object = 0x000d;
        constexpr std::size_t interface_bytes = 16;
        constexpr std::string_view message_interface(
            "\x07\x03\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46", interface_bytes);
        auto& attachment = tnef_.attachments.back();
        if (!attachment.content.empty()) return;
        if (type != object) return set_content(value);
        if (value.size() <= interface_bytes) return;
        const bool is_message = value.starts_with(message_interface);
        if (attachment.media_type.empty()) {
            attachment.media_type =
                is_message ? "application/ms-tnef" : "application/x-ole-storage";
        }
        set_content(value.substr(interface_bytes));
    }

    void read_properties(std::string_view data) {
        Cursor properties(data);
        auto count = properties.number(4);
        for (; count > 0 && !properties.at_end(); --count) read_property(properties);
        tnef_.is_broken = tnef_.is_broken || properties.failed() || count > 0;
    }

    void read_property(Cursor& in) {
        const auto type = in.number(2);
        const auto id = in.number(2);
        if (id >= 0x8000) skip_name(in);
        const bool has_many = (type & 0x1000) != 0;
        const auto width = fixed_width(type & 0x0fff);
        // Fixed values are told without a count unless there are many; the others always with one.
        auto count = has_many || width == 0 ? in.number(4) : 1;
        for (; count > 0 && !in.failed(); --count) {
            const auto value = width > 0 ? in.take(width) : in.take_padded(in.number(4));
            if (!in.failed()) set(static_cast<Property>(id), type & 0x0fff, value);
        }
    }

    // A property with a name of its own: a GUID, then a number or a text.
    static void skip_name(Cursor& in) {
        in.take(16);
        if (in.number(4) == 0) {
            in.number(4);
        } else {
            in.take_padded(in.number(4));
        }
    }

    std::string text_of(std::uint32_t type, std::string_view value) const {
        constexpr std::uint32_t unicode = 0x001f;
        if (type != unicode) return decoded(until_nul(value));
        auto text = to_utf8(value, "utf-16le").text;
        return text.substr(0, text.find('\0'));
    }

    void set(Property property, std::uint32_t type, std::string_view value) {
        switch (property) {
            case Property::body:
                if (tnef_.text.empty()) tnef_.text = text_of(type, value);
                return;
            case Property::html:
                tnef_.html = html_of(type, value);
                return;
            case Property::internet_code_page:
                html_charset_ = charset_of(Cursor(value).number(4));
                return;
            case Property::attach_long_name:
                set_name(text_of(type, value), true);
                return;
            case Property::attach_name:
                set_name(text_of(type, value), false);
                return;
            default:
                break;
        }
        if (!inside_) return;
        auto& attachment = tnef_.attachments.back();
        if (property == Property::attach_media_type) {
            attachment.media_type = ascii_lower(text_of(type, value));
        } else if (property == Property::attach_content_id) {
            attachment.content_id = text_of(type, value);
        } else if (property == Property::attach_data) {
            set_data_property(type, value);
        }
    }

    std::string html_of(std::uint32_t type, std::string_view value) const {
        constexpr std::uint32_t binary = 0x0102;
        if (type != binary) return text_of(type, value);
        return to_utf8(value, html_charset_.empty() ? charset_ : html_charset_).text;
    }

    Cursor cursor_;
    Tnef tnef_;
    std::string charset_ = "windows-1252";
    std::string html_charset_;
    bool inside_ = false;         // An attachment was begun and is kept.
    bool has_long_name_ = false;  // Better than the title, whichever comes first.
};

}  // namespace

std::optional<Tnef> read_tnef(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace mailroom::mime
