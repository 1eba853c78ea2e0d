#include "mime/build/build.h"

#include "base/hex.h"
#include "base/text.h"
#include "base/time_format.h"
#include "mime/build/body_encoding.h"
#include "mime/build/check.h"
#include "mime/header_writer.h"
#include "mime/html/to_text.h"

#include <algorithm>
#include <cassert>

#include <openssl/sha.h>

namespace mailroom::mime {

namespace {

constexpr std::size_t boundary_hash_digits = 32;

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// RFC 2046, 5.2.1: such a part may not be encoded, so it must be fit to travel as it is.
bool travels_as_message(const Attachment& part, std::string_view type) {
    return type == "message/rfc822" &&
           encoding_for_text(part.content, EightBit::refuse) == BodyEncoding::seven_bit;
}

class Builder {
public:
    Builder(const Message& message, const BuildOptions& options)
        : message_(message), options_(options) {
        if (message.text) {
            text_ = *message.text;
        } else if (message.html) {
            made_text_ = html_to_text(*message.html);
            text_ = made_text_;
        }
    }

    std::string build() {
        out_.reserve(estimated_bytes());
        headers();
        boundary_hash_ = unused_hash();
        root();
        return std::move(out_);
    }

private:
    std::size_t estimated_bytes() const {
        constexpr std::size_t overhead_bytes = 2048;
        std::size_t bytes = overhead_bytes + text_.size() + text_.size() / 4;
        if (message_.html) bytes += message_.html->size() + message_.html->size() / 4;
        for (const auto& image : message_.inline_images) bytes += encoded_bytes(image.content);
        for (const auto& part : message_.attachments) bytes += encoded_bytes(part.content);
        return bytes;
    }
    static std::size_t encoded_bytes(std::string_view content) {
        constexpr std::size_t header_bytes = 512;
        return content.size() / 57 * 78 + header_bytes;
    }

    void headers() {
        auto date = format_http_date(message_.date);
        date.replace(date.size() - 3, 3, "+0000");
        field("Date", date);
        addresses("From", message_.from);
        if (message_.sender) addresses("Sender", {*message_.sender});
        addresses("Reply-To", message_.reply_to);
        if (message_.to.empty() && message_.cc.empty() && !message_.bcc.empty()) {
            field("To", "undisclosed-recipients:;");
        }
        addresses("To", message_.to);
        addresses("Cc", message_.cc);
        if (!message_.subject.empty()) {
            HeaderWriter writer(out_, "Subject");
            writer.text(message_.subject);
            writer.end();
        }
        field("Message-ID", message_.message_id.bracketed());
        ids("In-Reply-To", message_.in_reply_to);
        ids("References", trim_references(message_.references));
        for (const auto& header : message_.headers) custom(header);
        field("MIME-Version", "1.0");
    }

    void field(std::string_view name, std::string_view value) {
        HeaderWriter writer(out_, name);
        writer.plain(value);
        writer.end();
    }

    void addresses(std::string_view name, const std::vector<Mailbox>& mailboxes) {
        if (mailboxes.empty()) return;
        HeaderWriter writer(out_, name);
        for (std::size_t i = 0; i < mailboxes.size(); ++i) {
            auto text = to_header_text(mailboxes[i]);
            if (i + 1 < mailboxes.size()) text += ',';
            // A quoted name may be folded at its spaces, but a gap of several would be torn.
            if (text.find("  ") == text.npos) {
                writer.plain(text);
            } else {
                writer.token(text);
            }
        }
        writer.end();
    }

    void ids(std::string_view name, const std::vector<MessageId>& list) {
        if (list.empty()) return;
        HeaderWriter writer(out_, name);
        for (const auto& id : list) writer.token(id.bracketed());
        writer.end();
    }

    void custom(const HeaderField& header) {
        HeaderWriter writer(out_, header.name);
        is_ascii(header.value) ? writer.plain(header.value) : writer.text(header.value);
        writer.end();
    }

    // Digits that stand in no part that travels as it is. The encoded ones cannot hold a boundary:
    // it begins with `=_`, which neither encoding writes.
    std::string unused_hash() const {
        auto seed = out_;
        while (true) {
            unsigned char digest[SHA256_DIGEST_LENGTH];
            SHA256(reinterpret_cast<const unsigned char*>(seed.data()), seed.size(), digest);
            const std::string_view bytes(reinterpret_cast<const char*>(digest), sizeof(digest));
            auto hash = hex_encode(bytes.substr(0, boundary_hash_digits / 2));
            if (!occurs(hash)) return hash;
            seed = hash;
        }
    }

    bool occurs(std::string_view hash) const {
        const auto holds = [&](std::string_view text) { return text.find(hash) != text.npos; };
        if (holds(text_) || (message_.html && holds(*message_.html))) return true;
        return std::ranges::any_of(message_.attachments, [&](const Attachment& part) {
            return part.content_type.find('/') != std::string::npos &&
                   ascii_lower(part.content_type).starts_with("message/") && holds(part.content);
        });
    }

    // The digit makes boundaries at different levels differ in the middle, so that none begins
    // another.
    std::string boundary(int level) const {
        return "=_" + std::to_string(level) + "_" + boundary_hash_;
    }

    std::string open_multipart(std::string_view subtype, int level) {
        auto mark = boundary(level);
        HeaderWriter writer(out_, "Content-Type");
        writer.token("multipart/");
        writer.append(subtype);
        if (subtype == "related") writer.parameter("type", "text/html");  // RFC 2387, 3.1.
        writer.parameter("boundary", mark);
        writer.end();
        out_ += "\r\n";
        in_multipart_ = true;
        return mark;
    }
    // The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1): a text that ends in
    // one needs a second.
    void keep_line_end(std::string_view text) {
        if (in_multipart_ && (text.ends_with('\n') || text.ends_with('\r'))) out_ += "\r\n";
    }
    void next_part(const std::string& mark) { out_ += "--" + mark + "\r\n"; }
    void close_multipart(const std::string& mark) { out_ += "--" + mark + "--\r\n"; }

    void root() {
        if (message_.attachments.empty()) return content();
        const auto mark = open_multipart("mixed", 1);
        next_part(mark);
        content();
        for (const auto& part : message_.attachments) {
            next_part(mark);
            attachment(part);
        }
        close_multipart(mark);
    }

    void content() {
        if (!message_.html) return text_part("plain", text_);
        if (text_.empty()) return html();
        const auto mark = open_multipart("alternative", 2);
        next_part(mark);
        text_part("plain", text_);
        next_part(mark);
        html();
        close_multipart(mark);
    }

    void html() {
        if (message_.inline_images.empty()) return text_part("html", *message_.html);
        const auto mark = open_multipart("related", 3);
        next_part(mark);
        text_part("html", *message_.html);
        for (const auto& image : message_.inline_images) {
            next_part(mark);
            inline_image(image);
        }
        close_multipart(mark);
    }

    void text_part(std::string_view subtype, std::string_view text) {
        const bool allows = options_.body_bytes == BodyBytes::eight_bit;
        const auto encoding = encoding_for_text(text, allows ? EightBit::allow : EightBit::refuse);
        out_ += "Content-Type: text/";
        out_ += subtype;
        out_ += "; charset=utf-8\r\n";
        transfer_encoding(encoding);
        out_ += "\r\n";
        append_text(out_, text, encoding);
        if (encoding != BodyEncoding::base64) keep_line_end(text);
    }

    void transfer_encoding(BodyEncoding encoding) {
        out_ += "Content-Transfer-Encoding: ";
        out_ += name_of(encoding);
        out_ += "\r\n";
    }

    void attachment(const Attachment& part) {
        auto type = *checked_content_type(part.content_type);
        const bool as_message = travels_as_message(part, type.value);
        if (type.value == "message/rfc822" && !as_message) type.value = "application/octet-stream";
        const auto name = *cleaned_filename(part.filename);
        content_type(type, name);
        disposition("attachment", name);
        if (as_message) {
            transfer_encoding(BodyEncoding::seven_bit);
            out_ += "\r\n";
            append_text(out_, part.content, BodyEncoding::seven_bit);
            keep_line_end(part.content);
        } else {
            base64_body(part.content);
        }
    }

    void inline_image(const InlineImage& image) {
        const auto name = *cleaned_filename(image.filename);
        content_type(*checked_content_type(image.content_type), name);
        field("Content-ID", "<" + image.content_id + ">");
        disposition("inline", name);
        base64_body(image.content);
    }

    void base64_body(std::string_view bytes) {
        transfer_encoding(BodyEncoding::base64);
        out_ += "\r\n";
        append_base64_lines(out_, bytes);
    }

    // `name` is what programs look for that do not know RFC 2231: the file name in ASCII.
    void content_type(const ParameterizedValue& type, const std::string& name) {
        HeaderWriter writer(out_, "Content-Type");
        writer.token(type.value);
        for (const auto& parameter : type.parameters) {
            if (parameter.name != "name") writer.parameter(parameter.name, parameter.value);
        }
        if (!name.empty()) writer.parameter("name", ascii_fallback(name));
        writer.end();
    }

    static std::string ascii_fallback(std::string_view name) {
        std::string fallback;
        for (const char c : name) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte < 0x80) fallback += c;
            if (byte >= 0xc0) fallback += '_';  // Once for each character.
        }
        return fallback;
    }

    void disposition(std::string_view kind, const std::string& name) {
        HeaderWriter writer(out_, "Content-Disposition");
        writer.token(kind);
        if (!name.empty()) writer.parameter("filename", name);
        writer.end();
    }

    const Message& message_;
    const BuildOptions& options_;
    std::string made_text_;
    std::string_view text_;
    std::string boundary_hash_;
    bool in_multipart_ = false;
    std::string out_;
};

}  // namespace

Result<std::string> build(const Message& message, const BuildOptions& options) {
    TRY(check(message, options));
    auto bytes = Builder(message, options).build();
    if (bytes.size() > options.message_bytes_max) {
        return Error{Errc::invalid, "attachments: the message is too large"};
    }
    return bytes;
}

}  // namespace mailroom::mime
