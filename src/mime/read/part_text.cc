#include "mime/read/part_text.h"

#include "base/text.h"
#include "mime/charset.h"
#include "mime/read/defect_kinds.h"

#include <algorithm>
#include <cstring>

namespace mailroom::mime {
namespace {

constexpr std::size_t meta_bytes_max = 2048;  // Where HTML must name its charset (1024), and some.

// `<meta charset=x>` or `<meta … content="text/html; charset=x">`.
std::string charset_in_html(std::string_view html) {
    const auto head = ascii_lower(html.substr(0, meta_bytes_max));
    constexpr std::string_view key = "charset=";
    const auto meta = head.find("<meta");
    if (meta == head.npos) return {};
    auto start = head.find(key, meta);
    if (start == head.npos) return {};
    start = head.find_first_not_of(" \"'", start + key.size());
    if (start == head.npos) return {};
    return head.substr(start, head.find_first_of(" \"'/>;", start) - start);
}

std::string charset_of(const Part& part, std::string_view bytes) {
    if (const auto* named = part.type.find("charset"); named != nullptr && !named->empty()) {
        return *named;
    }
    return part.is("text/html") ? charset_in_html(bytes) : std::string();
}

void report(const CharsetText& converted, const std::string& charset, Defects& defects) {
    if (converted.label_unknown) {
        add_defect(defects, defect::unknown_charset, "no charset is called " + charset);
    } else if (converted.label_wrong) {
        add_defect(defects, defect::wrong_charset,
                   "a text called " + charset + " is " + std::string(converted.charset));
    } else if (converted.replaced > 0) {
        add_defect(defects, defect::wrong_charset,
                   "bytes that are not " + std::string(converted.charset));
    }
}

// RFC 3676: a line that ends in a blank goes on in the next one of the same quote depth.
class Unflower {
public:
    explicit Unflower(bool deletes_space) : deletes_space_(deletes_space) {}

    std::string unflow(std::string_view text) {
        out_.reserve(text.size());
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            add(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (flows_) out_ += '\n';
        return std::move(out_);
    }

private:
    void add(std::string_view line) {
        const auto depth = std::min(line.find_first_not_of('>'), line.size());
        auto words = line.substr(depth);
        if (words.starts_with(' ')) words.remove_prefix(1);  // Section 4.4: space-stuffing.
        const bool is_signature = words == "-- ";
        if (flows_ && (depth != depth_ || is_signature)) {
            out_ += '\n';
            flows_ = false;
        }
        if (!flows_ && depth > 0) out_.append(depth, '>') += ' ';
        flows_ = words.ends_with(' ') && !is_signature;
        if (flows_ && deletes_space_) words.remove_suffix(1);
        out_ += words;
        if (!flows_) out_ += '\n';
        depth_ = depth;
    }

    bool deletes_space_;
    bool flows_ = false;
    std::size_t depth_ = 0;
    std::string out_;
};

bool is_parameter(const Part& part, std::string_view name, std::string_view value) {
    const auto* found = part.type.find(name);
    return found != nullptr && ascii_equal_ignoring_case(*found, value);
}

}  // namespace

std::string with_plain_line_ends(std::string text) {
    if (text.find('\0') != text.npos) std::erase(text, '\0');
    auto in = text.find('\r');
    if (in == text.npos) return text;
    auto out = in;
    while (in < text.size()) {
        // At a CR: it becomes LF, or goes when one follows. Then the run up to the next one moves.
        ++in;
        if (in == text.size() || text[in] != '\n') text[out++] = '\n';
        const auto run = std::min(text.find('\r', in), text.size()) - in;
        std::memmove(text.data() + out, text.data() + in, run);
        out += run;
        in += run;
    }
    text.resize(out);
    return text;
}

std::string read_part_text(const Part& part, std::size_t bytes_max, Defects& defects) {
    auto encoded = part.body;
    // No encoding makes more of the bytes, so a longer body cannot be wanted whole, nor worth it.
    const auto encoded_max = bytes_max * 3;
    if (encoded.size() > encoded_max) {
        add_defect(defects, defect::text_too_long, "a text was cut");
        encoded = encoded.substr(0, encoded_max);
    }
    Decoded decoded;
    std::string_view bytes = encoded;
    if (part.encoding != TransferEncoding::identity) {
        decoded = decode_transfer(encoded, part.encoding);
        bytes = decoded.bytes;
        if (decoded.has_errors) add_defect(defects, defect::bad_encoding, "in a text");
    }
    const auto charset = charset_of(part, bytes);
    auto converted = to_utf8(bytes, charset);
    report(converted, charset, defects);
    if (converted.text.find('\0') != std::string::npos) {
        defect::add_once(defects, defect::nul_byte, "a NUL byte in a text");
    }
    auto text = with_plain_line_ends(std::move(converted.text));
    if (text.size() > bytes_max) {
        defect::add_once(defects, defect::text_too_long, "a text was cut");
        text.resize(truncate_utf8(text, bytes_max).size());
    }
    if (!part.is("text/html") && is_parameter(part, "format", "flowed")) {
        return Unflower(is_parameter(part, "delsp", "yes")).unflow(text);
    }
    return text;
}

}  // namespace mailroom::mime
