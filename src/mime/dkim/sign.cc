#include "mime/dkim/sign.h"

#include "base/base64.h"
#include "base/text.h"
#include "mime/dkim/canonical.h"
#include "mime/dkim/message.h"
#include "mime/dkim/signature.h"

#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

constexpr std::size_t line_bytes_max = 76;
constexpr std::size_t names_max = 100;  // More would not fit a field that others accept.

bool is_domain_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

bool is_domain(std::string_view text) {
    return !text.empty() && text.front() != '.' && text.back() != '.' &&
           text.find("..") == text.npos && std::ranges::all_of(text, is_domain_character);
}

bool is_field_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return c > ' ' && c < '\x7f' && c != ':' && c != ';';
    });
}

Result<> check(const Signer& signer) {
    if (!is_domain(signer.domain)) return Error{Errc::invalid, "the signing domain is not one"};
    if (!is_domain(signer.selector)) return Error{Errc::invalid, "the selector is not one"};
    if (!std::ranges::all_of(signer.headers, is_field_name)) {
        return Error{Errc::invalid, "a name of the headers to sign is not one"};
    }
    if (signer.headers.size() > names_max) return Error{Errc::invalid, "too many headers to sign"};
    return Ok{};
}

bool ends_every_line_with_crlf(std::string_view message) {
    for (auto at = message.find_first_of("\r\n"); at != message.npos;
         at = message.find_first_of("\r\n", at + 2)) {
        if (!message.substr(at).starts_with("\r\n")) return false;
    }
    return true;
}

// The names of the h= tag, in lower case, one for each time a field is signed.
std::vector<std::string> names_to_sign(const Message& message, const Signer& signer) {
    std::vector<std::string> wanted = {"from"};
    for (const auto& name : signer.headers) {
        auto lower = ascii_lower(name);
        if (std::ranges::find(wanted, lower) == wanted.end()) wanted.push_back(std::move(lower));
    }
    std::vector<std::string> names;
    for (const auto& name : wanted) {
        auto count = std::ranges::count(message.fields, name, &HeaderField::lower_name);
        if (signer.oversign == Oversign::all) ++count;
        names.insert(names.end(), static_cast<std::size_t>(count), name);
    }
    return names;
}

// Writes a field piece by piece, beginning a new line where the next piece does not fit.
class FoldedField {
public:
    explicit FoldedField(std::string_view name) : text_(name) { text_ += ':'; }

    // A tag begins after a space.
    void tag(std::string_view tag) {
        if (line_bytes() + 1 + tag.size() > line_bytes_max) {
            fold();
        } else {
            text_ += ' ';
        }
        text_ += tag;
    }
    // A piece may stand directly after the one before it.
    void piece(std::string_view piece) {
        if (line_bytes() + piece.size() > line_bytes_max) fold();
        text_ += piece;
    }
    void base64(std::string_view text) {
        while (!text.empty()) {
            if (line_bytes() >= line_bytes_max) fold();
            const auto fits = std::min(line_bytes_max - line_bytes(), text.size());
            text_ += text.substr(0, fits);
            text.remove_prefix(fits);
        }
    }
    const std::string& text() const { return text_; }

private:
    std::size_t line_bytes() const {
        const auto line = text_.rfind('\n');
        return line == text_.npos ? text_.size() : text_.size() - line - 1;
    }
    void fold() { text_ += "\r\n "; }

    std::string text_;
};

FoldedField unsigned_field(const Signer& signer, const std::vector<std::string>& names,
                           std::string_view body_hash) {
    FoldedField field("DKIM-Signature");
    field.tag("v=1;");
    field.tag("a=" + std::string(algorithm_name(signer.key.algorithm())) + ";");
    field.tag("c=relaxed/relaxed;");
    field.tag("d=" + ascii_lower(signer.domain) + ";");
    field.tag("s=" + signer.selector + ";");
    const auto signed_at = to_unix_seconds(signer.time);
    field.tag("t=" + std::to_string(signed_at) + ";");
    if (signer.valid_for) {
        field.tag("x=" + std::to_string(signed_at + signer.valid_for->count()) + ";");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto text = names[i] + (i + 1 == names.size() ? ";" : ":");
        i == 0 ? field.tag("h=" + text) : field.piece(text);
    }
    field.tag("bh=" + base64_encode(body_hash) + ";");
    field.tag("b=");
    return field;
}

Result<std::string> sign_one(const Message& message, std::string_view body_hash,
                             const Signer& signer) {
    TRY(check(signer));
    const auto names = names_to_sign(message, signer);
    if (names.size() > signed_headers_max) {
        return Error{Errc::invalid, "the message has too many fields to sign"};
    }
    auto field = unsigned_field(signer, names, body_hash);

    std::string data;
    for (const auto* picked : pick_fields(message, names)) {
        if (picked == nullptr) continue;
        append_canonical(data, *picked, Canonicalisation::relaxed);
        data += "\r\n";
    }
    const auto own = split_message(field.text());
    append_canonical(data, own.fields.front(), Canonicalisation::relaxed);

    field.base64(base64_encode(TRY(signer.key.sign(data))));
    return field.text() + "\r\n";
}

}  // namespace

std::vector<std::string> default_signed_headers() {
    return {"From",
            "Reply-To",
            "To",
            "Cc",
            "Subject",
            "Date",
            "Message-ID",
            "In-Reply-To",
            "References",
            "MIME-Version",
            "Content-Type",
            "Content-Transfer-Encoding",
            "List-Unsubscribe",
            "List-Unsubscribe-Post"};
}

Result<std::string> sign(std::string_view message, std::span<const Signer> signers) {
    if (!ends_every_line_with_crlf(message)) {
        return Error{Errc::invalid, "a line of the message does not end with CRLF"};
    }
    if (message.starts_with(' ') || message.starts_with('\t')) {
        return Error{Errc::invalid, "the message does not begin with a header field"};
    }
    const auto split = split_message(message);
    if (split.fields.size() + signers.size() > header_fields_max) {
        return Error{Errc::invalid, "the message has too many header fields"};
    }
    if (std::ranges::count(split.fields, "from", &HeaderField::lower_name) != 1) {
        return Error{Errc::invalid, "the message does not have exactly one From field"};
    }
    const auto body = hash_body(split.body, Canonicalisation::relaxed);
    std::string fields;
    for (const auto& signer : signers) fields += TRY(sign_one(split, body.sha256, signer));
    return fields;
}

}  // namespace mailroom::mime::dkim
