#include "mime/dkim/signature.h"

#include "base/base64.h"
#include "base/text.h"
#include "mime/dkim/tag_list.h"

#include <algorithm>
#include <charconv>

namespace mailroom::mime::dkim {
namespace {

Error invalid(std::string_view message) { return Error{Errc::invalid, std::string(message)}; }

Result<std::string_view> required(const TagList& tags, std::string_view name) {
    const auto value = tags.find(name);
    if (!value || value->empty()) {
        return invalid("the signature has no " + std::string(name) + "= tag");
    }
    return *value;
}

Result<std::string> decoded(const TagList& tags, std::string_view name) {
    const auto value = TRY(required(tags, name));
    auto bytes = base64_decode(without_space(value));
    if (!bytes) return invalid("the " + std::string(name) + "= tag is not base 64");
    return *std::move(bytes);
}

// None if the tag is absent.
template <class Number>
Result<std::optional<Number>> number(const TagList& tags, std::string_view name) {
    const auto value = tags.find(name);
    if (!value) return std::optional<Number>();
    Number parsed{};
    const auto* end = value->data() + value->size();
    const auto [stop, error] = std::from_chars(value->data(), end, parsed);
    if (value->empty() || error != std::errc() || stop != end || value->front() == '-') {
        return invalid("the " + std::string(name) + "= tag is not a number");
    }
    return std::optional<Number>(parsed);
}

bool is_domain_name(std::string_view text) {
    constexpr std::size_t domain_bytes_max = 253;  // RFC 1035, 2.3.4.
    if (text.empty() || text.size() > domain_bytes_max || text.front() == '.') return false;
    if (text.find("..") != text.npos) return false;
    return std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    });
}

Result<Canonicalisation> form(std::string_view name) {
    if (name == "simple") return Canonicalisation::simple;
    if (name == "relaxed") return Canonicalisation::relaxed;
    return invalid("the signature has an unknown canonical form");
}

Result<> read_signer(const TagList& tags, Signature& out) {
    out.domain = ascii_lower(TRY(required(tags, "d")));
    out.selector = std::string(TRY(required(tags, "s")));
    if (!is_domain_name(out.domain)) return invalid("the d= tag is not a domain");
    if (!is_domain_name(out.selector)) return invalid("the s= tag is not a selector");
    out.identity = std::string(tags.find("i").value_or("@" + out.domain));
    const auto at = out.identity.rfind('@');
    if (at == out.identity.npos) return invalid("the i= tag has no @");
    const auto domain = ascii_lower(out.identity.substr(at + 1));
    if (domain != out.domain && !domain.ends_with("." + out.domain)) {
        return invalid("the domain of the i= tag is not in the d= domain");
    }
    return Ok{};
}

Result<> read_algorithm(const TagList& tags, Signature& out) {
    const auto name = TRY(required(tags, "a"));
    if (name == "ed25519-sha256") {
        out.algorithm = Algorithm::ed25519_sha256;
    } else if (name == "rsa-sha1") {
        return invalid("rsa-sha1 is no longer accepted");
    } else if (name != "rsa-sha256") {
        return invalid("the signature has an unknown algorithm");
    }
    const auto forms = tags.find("c").value_or("simple/simple");
    const auto slash = forms.find('/');
    out.header_form = TRY(form(trim(forms.substr(0, slash))));
    if (slash != forms.npos) out.body_form = TRY(form(trim(forms.substr(slash + 1))));
    const auto queries = split_colons(tags.find("q").value_or("dns/txt"));
    if (std::ranges::count(queries, "dns/txt") == 0) {
        return invalid("the signature's key is not in the DNS");
    }
    return Ok{};
}

Result<> read_headers(const TagList& tags, Signature& out) {
    for (const auto name : split_colons(TRY(required(tags, "h")))) {
        if (name.empty()) return invalid("the h= tag has an empty name");
        out.headers.push_back(ascii_lower(name));
    }
    if (out.headers.size() > signed_headers_max) return invalid("the h= tag has too many names");
    if (std::ranges::count(out.headers, "from") == 0) return invalid("From is not signed");
    return Ok{};
}

Result<> read_times(const TagList& tags, Signature& out) {
    out.body_length = TRY(number<std::uint64_t>(tags, "l"));
    out.signed_at = TRY(number<std::int64_t>(tags, "t"));
    out.expires_at = TRY(number<std::int64_t>(tags, "x"));
    if (out.signed_at && out.expires_at && *out.expires_at <= *out.signed_at) {
        return invalid("the signature expires before it was made");
    }
    return Ok{};
}

}  // namespace

Result<> parse_signature(const HeaderField& field, Signature& signature) {
    if (field.whole.size() > signature_bytes_max) return invalid("the signature is too long");
    const auto tags = TRY(TagList::parse(field.value));
    TRY(read_signer(tags, signature));
    if (TRY(required(tags, "v")) != "1") return invalid("the signature is not of version 1");
    TRY(read_algorithm(tags, signature));
    TRY(read_headers(tags, signature));
    TRY(read_times(tags, signature));
    signature.body_hash = TRY(decoded(tags, "bh"));
    signature.signature = TRY(decoded(tags, "b"));
    const auto* b = tags.tag("b");
    signature.unsigned_value = field.value.substr(0, b->value_at);
    signature.unsigned_value += field.value.substr(b->value_end);
    return Ok{};
}

}  // namespace mailroom::mime::dkim
