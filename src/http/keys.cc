#include "http/keys.h"

#include "program/scopes.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/text.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace mailroom::http {

namespace {

constexpr std::string_view key_prefix = "mr_";
constexpr std::size_t key_random_bytes = 32;     // Nobody guesses 256 bits.
constexpr std::size_t adopted_bytes_min = 24;    // Shorter ones are words, and words are guessed.
constexpr std::size_t key_text_bytes_max = 256;  // It travels in a header.
constexpr std::size_t name_bytes_max = 100;
constexpr std::size_t shown_bytes_max = 64;  // Of a word that is no scope, in a message.

Error invalid(std::string message) { return {Errc::invalid, std::move(message)}; }

bool is_visible_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

Result<std::vector<std::string>> check_scopes(std::vector<std::string> scopes) {
    for (const auto& scope : scopes) {
        if (std::ranges::find(known_scopes, scope) == known_scopes.end()) {
            return invalid("\"" + std::string(truncate_utf8(scope, shown_bytes_max)) +
                           "\" is not a scope; those there are: " + known_scopes_text());
        }
    }
    std::ranges::sort(scopes);
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    if (scopes.empty()) return invalid("a key needs at least one scope");
    return scopes;
}

bool is_admin(const ApiKey& key) { return key.allows(scope::admin); }

}  // namespace

bool ApiKey::allows(std::string_view wanted) const { return program::allows(scopes, wanted); }

bool is_key_name(std::string_view name) {
    const bool control = std::ranges::any_of(
        name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    return !trim(name).empty() && name.size() <= name_bytes_max && !control && is_utf8(name);
}

std::string known_scopes_text() {
    std::string text;
    for (const auto known : known_scopes) {
        if (!text.empty()) text += ", ";
        text += known;
    }
    return text;
}

std::string key_hash(std::string_view key_text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
    SHA256(reinterpret_cast<const unsigned char*>(key_text.data()), key_text.size(), digest.data());
    return hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Result<> check_key_text(std::string_view key_text) {
    if (key_text.size() < adopted_bytes_min || key_text.size() > key_text_bytes_max ||
        !is_visible_ascii(key_text)) {
        return invalid("a key must be 24 to 256 ASCII characters without blanks");
    }
    return Ok{};
}

Result<ApiKey> Keys::describe(std::string_view name, std::string_view key_text,
                              std::vector<std::string> scopes) {
    if (!is_key_name(name)) return invalid("a key's name " + std::string(key_name_wanted));
    auto checked = TRY(check_scopes(std::move(scopes)));
    return ApiKey{.id = ids_.next(),
                  .name = std::string(name),
                  .scopes = std::move(checked),
                  .created = clock_.now(),
                  .last_four = std::string(key_text.substr(key_text.size() - 4)),
                  .hash = key_hash(key_text)};
}

Result<Keys::Created> Keys::create(std::string_view name, std::vector<std::string> scopes,
                                   std::string_view person) {
    const auto holder = ascii_lower(trim(person));
    if (!holder.empty() && !is_key_name(holder)) {
        return invalid("a key's person " + std::string(key_name_wanted));
    }
    const auto text =
        std::string(key_prefix) + base64url_encode(random_bytes(random_, key_random_bytes));
    auto key = TRY(describe(name, text, std::move(scopes)));
    key.person = holder;
    TRY(repository_.put(key));
    return Created{std::move(key), text};
}

Result<ApiKey> Keys::adopt(std::string_view name, std::string_view key_text,
                           std::vector<std::string> scopes) {
    TRY(check_key_text(key_text));
    auto key = TRY(describe(name, key_text, std::move(scopes)));
    auto added = repository_.put(key);
    if (added) return key;
    if (added.error().code != Errc::conflict) return std::move(added).error();
    auto present = TRY(repository_.find(key.hash));
    if (!present) return Error{Errc::conflict, "the key was revoked at the same moment"};
    return *std::move(present);
}

Result<> Keys::revoke(std::string_view id) {
    const auto revoked = settled(system_pauses(race_pauses), [&] { return try_to_revoke(id); });
    if (!revoked) return Error(revoked.error());
    return Ok{};
}

// Two admins who revoke each other's keys at the same moment must not leave none, so an admin key
// goes only beside another one.
Answer<> Keys::try_to_revoke(std::string_view id) {
    const auto keys = TRY(repository_.list());
    const auto found = std::ranges::find(keys, id, &ApiKey::id);
    if (found == keys.end()) return Error{Errc::not_found, "no key " + std::string(id)};
    if (!is_admin(*found)) {
        TRY(repository_.erase(found->hash));
        return Ok{};
    }
    const auto other = std::ranges::find_if(
        keys, [&](const ApiKey& key) { return is_admin(key) && key.id != id; });
    if (other == keys.end()) {
        return Error{Errc::conflict,
                     "this is the last admin key: without one nobody could make "
                     "keys any more. Make another admin key first"};
    }
    const auto erased = repository_.erase_beside(found->hash, other->hash);
    if (erased) return Ok{};
    if (erased.error().code != Errc::conflict) return erased.error();
    return Refusal::lost_race();
}

Result<std::optional<ApiKey>> Keys::authenticate(std::string_view key_text) {
    if (key_text.empty() || key_text.size() > key_text_bytes_max) return std::optional<ApiKey>();
    // The lookup compares hashes, which tell a patient attacker nothing about the key.
    return repository_.find(key_hash(key_text));
}

Result<std::optional<std::string>> Keys::ensure_admin(const std::optional<std::string>& wanted) {
    const auto present = TRY(repository_.list());
    if (std::ranges::any_of(present, is_admin)) return std::optional<std::string>();
    const std::vector<std::string> scopes{std::string(scope::admin)};
    if (wanted) {
        TRY(adopt("admin", *wanted, scopes));
        return std::optional<std::string>();
    }
    return std::optional(TRY(create("admin", scopes)).text);
}

}  // namespace mailroom::http
