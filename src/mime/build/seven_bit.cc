#include "mime/build/seven_bit.h"

#include "base/text.h"
#include "mime/build/body_encoding.h"
#include "mime/build/seven_bit_header.h"
#include "mime/parameters.h"
#include "mime/read/boundary.h"
#include "mime/read/headers.h"
#include "mime/read/transfer_encoding.h"

#include <algorithm>
#include <optional>

namespace mailroom::mime {
namespace {

// Of multiparts and messages in each other: what is deeper stays as it is.
constexpr int depth_max = 20;

constexpr std::string_view encoding_name = "Content-Transfer-Encoding";

enum class Place { message, part };

// What stands before the body of a message or a part.
struct Head {
    HeaderBlock block;
    ParameterizedValue type;
    TransferEncoding encoding = TransferEncoding::identity;
    bool has_type = false;
};

std::optional<Head> read_head(std::string_view bytes) {
    Defects defects;
    Head head{.block = read_headers(bytes, 0, {}, defects), .type = {}};
    if (!defects.empty() && head.block.headers.fields().empty()) return std::nullopt;
    const auto& headers = head.block.headers;
    head.has_type = headers.has("Content-Type");
    head.type = parse_parameterized(headers.find("Content-Type").value_or("text/plain"));
    head.encoding = parse_transfer_encoding(headers.find(encoding_name).value_or("7bit"));
    return head;
}

class Converter {
public:
    explicit Converter(std::string& out) : out_(out) {}

    void convert(std::string_view bytes, Place place, int depth) {
        const auto head = read_head(bytes);
        if (!head || depth > depth_max || is_seven_bit(bytes)) {
            out_ += bytes;
            return;
        }
        const auto body = bytes.substr(head->block.body);
        const auto fields = bytes.substr(0, head->block.body);
        if (is_seven_bit(body) || !may_change(*head)) {
            append_fields(fields, *head, std::nullopt);
            out_ += body;
        } else if (head->type.value.starts_with("multipart/")) {
            convert_multipart(fields, *head, body, depth);
        } else if (head->type.value == "message/rfc822") {
            append_fields(fields, *head, BodyEncoding::seven_bit);
            convert(body, Place::message, depth + 1);
        } else {
            convert_leaf(fields, *head, body, place);
        }
    }

private:
    static bool may_change(const Head& head) {
        return head.encoding == TransferEncoding::identity &&
               head.type.value != "multipart/signed" && head.type.value != "message/partial" &&
               head.type.value != "message/external-body";
    }

    // Up to and with the empty line. Where the encoding changes, it is named last.
    void append_fields(std::string_view fields, const Head& head,
                       std::optional<BodyEncoding> encoding, std::string_view more = {}) {
        const auto& all = head.block.headers.fields();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (encoding && ascii_equal_ignoring_case(all[i].name, encoding_name)) continue;
            const auto start = static_cast<std::size_t>(all[i].name.data() - fields.data());
            const auto value_end =
                static_cast<std::size_t>(all[i].value.data() - fields.data()) + all[i].value.size();
            const auto end = line_end(fields, std::max(start, value_end));
            append_seven_bit_field(out_, all[i].name, all[i].value,
                                   fields.substr(start, end - start));
        }
        out_ += more;
        if (encoding) out_.append(encoding_name).append(": ").append(name_of(*encoding)) += "\r\n";
        out_ += "\r\n";
    }

    void convert_multipart(std::string_view fields, const Head& head, std::string_view body,
                           int depth) {
        const auto* boundary = head.type.find("boundary");
        if (boundary == nullptr || boundary->empty() || !is_seven_bit(*boundary)) {
            append_fields(fields, head, std::nullopt);
            out_ += body;
            return;
        }
        append_fields(fields, head, BodyEncoding::seven_bit);
        BoundaryStack stack(body);
        stack.push(*boundary);
        auto line = stack.next(0);
        append_unseen(body.substr(0, line.next));
        while (!line.at_end() && !line.closes) {
            const auto start = line.next;
            line = stack.next(start);
            convert(body.substr(start, line.content_end - start), Place::part, depth + 1);
            // The boundary with the line break before it.
            append_unseen(body.substr(line.content_end, line.next - line.content_end));
        }
        append_unseen(body.substr(line.next));
    }

    // What no reader shows: the words before and after the parts.
    void append_unseen(std::string_view text) {
        const auto start = out_.size();
        out_ += text;
        std::replace_if(
            out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(),
            [](char c) { return static_cast<unsigned char>(c) > 0x7f; }, '?');
    }

    void convert_leaf(std::string_view fields, const Head& head, std::string_view body,
                      Place place) {
        const bool is_text = head.type.value.starts_with("text/");
        const auto encoding =
            is_text ? encoding_for_text(body, EightBit::refuse) : BodyEncoding::base64;
        std::string more;
        if (place == Place::message && !head.block.headers.has("MIME-Version")) {
            more += "MIME-Version: 1.0\r\n";
        }
        if (!head.has_type) {
            // As readers take text that does not say what it is.
            more += "Content-Type: text/plain; charset=";
            more += is_utf8(body) ? "utf-8\r\n" : "windows-1252\r\n";
        }
        append_fields(fields, head, encoding, more);
        if (encoding == BodyEncoding::base64) return append_base64_lines(out_, body);
        append_text(out_, body, encoding);
        // That ends every text in a line end; this one may have none.
        if (!body.ends_with('\n') && !body.ends_with('\r')) out_.resize(out_.size() - 2);
    }

    std::string& out_;
};

}  // namespace

bool is_seven_bit(std::string_view bytes) {
    unsigned char all = 0;
    for (const char c : bytes) all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

std::string to_seven_bit(std::string message) {
    if (is_seven_bit(message)) return message;
    const auto head = read_head(message);
    if (!head || head->block.headers.has("DKIM-Signature")) return message;
    std::string converted;
    converted.reserve(message.size() * 3 / 2);
    Converter(converted).convert(message, Place::message, 0);
    return converted;
}

}  // namespace mailroom::mime
