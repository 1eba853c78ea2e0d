// What strangers can send us by a link: tokens, forms, addresses of links and languages. The first
// byte chooses which.
#include "base/base64.h"
#include "engagement/pages/form.h"
#include "engagement/pages/language.h"
#include "engagement/tracking/destination.h"
#include "engagement/tracking/hit.h"
#include "engagement/tracking/mail_tailor.h"
#include "engagement/tracking/seed_token.h"
#include "engagement/tracking/tokens.h"
#include "mime/html/links.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using namespace mailroom::engagement;

constexpr const char* mail = "0191d6f0-1234-7abc-8def-0123456789ab";

const Tokens& ours() {
    static const Tokens tokens(
        *TokenKeys::make({{1, "a secret that nobody guesses"}, {0, "another one that is older"}}));
    return tokens;
}

// Nobody guesses a token; one that was changed is none.
void check_token(std::string_view text) {
    const auto read = ours().read(text);
    if (read) assert(ours().make(*read));
    const auto made = *ours().make(ClickToken{mail, 1, "https://a.example/"});
    auto bytes = *base64url_decode(made);
    for (std::size_t i = 0; i < text.size(); ++i) {
        bytes[i % bytes.size()] = static_cast<char>(bytes[i % bytes.size()] ^ text[i]);
    }
    const auto changed = base64url_encode(bytes);
    assert(changed == made || !ours().read(changed));
}

// What goes in comes out.
void check_round(std::string_view text) {
    const std::string part(text.substr(0, text.size() / 2)), rest(text.substr(text.size() / 2));
    for (const auto& token :
         {Token(ClickToken{mail, 9, rest}), Token(PersonToken{"", part, rest})}) {
        const auto made = ours().make(token);
        if (made) assert(ours().read(*made) == token);
    }
    const auto now = from_unix_ms(1'767'225'600'000);
    const auto seed = make_seed_token("secret", text, now);
    const auto address = read_seed_token({"secret"}, seed, now);
    if (address) assert(*address == text);
    static_cast<void>(read_seed_token({"secret"}, text, now));
    static_cast<void>(token_in_subject(text));
}

// It goes into a header, and leads where its text says.
void check_destination(std::string_view text) {
    const auto address = web_address(text);
    if (!address) return;
    assert(std::ranges::all_of(*address, [](char c) { return c > ' ' && c < '\x7f'; }));
    assert(address->starts_with("http://") || address->starts_with("https://"));
    assert(web_address(*address) == *address);
    outbox::Utm utm;
    utm.source = "a b";
    const auto with = with_utm(*address, utm);
    const auto authority = [](const std::string& url) {
        return url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
    };
    assert(authority(with) == authority(*address));
    assert(with_utm(with, utm) == with);
}

void check_links(std::string_view html) {
    const auto kept = mime::replace_links(html, [](auto) { return std::nullopt; });
    assert(kept == html);
    const auto replaced = mime::replace_links(
        html, [](auto) { return std::optional<std::string>("https://x.example/'\"<>"); }, "<i>");
    assert(replaced.find("https://x.example/'") == replaced.npos ||
           html.find("https://x.example/'") != html.npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes + 1), size - 1);
    switch (bytes[0] % 6) {
        case 0:
            check_token(text);
            break;
        case 1:
            check_round(text);
            break;
        case 2:
            check_destination(text);
            break;
        case 3:
            check_links(text);
            break;
        case 4: {
            const auto hits = decode_hits(text);
            // A kind or a flag that we do not write is read as one that we do.
            if (hits) assert(encode_hits(*hits).size() == text.size());
            break;
        }
        default:
            static_cast<void>(pick_language(text, text, Language::en));
            assert(read_form(text).size() <= 1000);
    }
    return 0;
}
