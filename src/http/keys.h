// API keys: who may call what. A key is shown once, when it is made; only its hash is kept.
//
//   key := "mr_" and 43 characters of base64url: 32 random bytes
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "base/refusal.h"
#include "base/result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::http {

// What a key may be allowed to do. A new kind of route that needs its own word adds it here.
namespace scope {
constexpr std::string_view send = "send";    // Ask for mails to be sent, and call them back.
constexpr std::string_view read = "read";    // See mails, their history and the lists.
constexpr std::string_view admin = "admin";  // Everything, keys included.
// See reminders, customers, invoices and templates, and no other mail. Each scope of reminders and
// `read` have it.
constexpr std::string_view reminders_read = "reminders:read";
// Have reminders drafted, and edit drafts. Fit for machines.
constexpr std::string_view reminders_draft = "reminders:draft";
// Decide about drafts, and keep customers, invoices and templates. For people.
constexpr std::string_view reminders_approve = "reminders:approve";
// See people, and what became of mails to them; change people, and what they want to get.
constexpr std::string_view people_read = "people:read", people_write = "people:write";
constexpr std::string_view events = "events";  // See what became of mails.
// See campaigns; write what would be sent; have it sent. Each of these has the first, and so does
// `read`.
constexpr std::string_view campaigns_read = "campaigns:read", campaigns_draft = "campaigns:draft",
                           campaigns_send = "campaigns:send";
}  // namespace scope
inline constexpr std::array known_scopes = {scope::send,
                                            scope::read,
                                            scope::admin,
                                            scope::reminders_read,
                                            scope::reminders_draft,
                                            scope::reminders_approve,
                                            scope::people_read,
                                            scope::people_write,
                                            scope::events,
                                            scope::campaigns_read,
                                            scope::campaigns_draft,
                                            scope::campaigns_send};
// "send, read, admin, …": for messages.
std::string known_scopes_text();

struct ApiKey {
    std::string id;  // For people and for revoking: a ULID.
    std::string name;
    std::vector<std::string> scopes;  // Sorted, at least one.
    Time created;
    std::string last_four;  // Of the key's text, to recognise it.
    std::string hash;       // SHA-256 of the key's text, in lower-case hexadecimal.
    // Who holds it, in small letters: what takes two people takes keys of two. Empty: not said.
    std::string person = {};

    // Whether a route that asks for the scope `wanted` is allowed.
    bool allows(std::string_view wanted) const;
    bool operator==(const ApiKey&) const = default;
};

// Where keys are kept. Thread-safe.
class KeyRepository {
public:
    virtual ~KeyRepository() = default;
    // Adds a key. `conflict` if one with that hash is there.
    virtual Result<> put(const ApiKey& key) = 0;
    virtual Result<std::vector<ApiKey>> list() = 0;  // Oldest first.
    virtual Result<std::optional<ApiKey>> find(const std::string& hash) = 0;
    // `not_found` if there is no key with that hash.
    virtual Result<> erase(const std::string& hash) = 0;
    // The same, if the key with the hash `other` is there at that moment. `conflict` if one of the
    // two is not.
    virtual Result<> erase_beside(const std::string& hash, const std::string& other) = 0;
};

// The hash under which a key is kept. Keys are long and random, so one round of SHA-256 is enough.
std::string key_hash(std::string_view key_text);

// `invalid` unless the text can serve as a key: 24 to 256 ASCII characters without blanks.
Result<> check_key_text(std::string_view key_text);

// What a key may be called.
inline constexpr std::string_view key_name_wanted = "must be 1 to 100 bytes of text on one line";
bool is_key_name(std::string_view name);

class Keys {
public:
    // All must outlive this object.
    Keys(KeyRepository& repository, const Clock& clock, Random& random)
        : repository_(repository), clock_(clock), random_(random), ids_(clock, random) {}

    struct Created {
        ApiKey key;
        std::string text;  // The secret: show it once, keep it nowhere.
    };
    // `invalid` for a name or a person that is not acceptable or a scope that is not known.
    Result<Created> create(std::string_view name, std::vector<std::string> scopes,
                           std::string_view person = {});
    // Keeps a key that somebody else made up, if check_key_text() agrees. Nothing changes if the
    // same key is there.
    Result<ApiKey> adopt(std::string_view name, std::string_view key_text,
                         std::vector<std::string> scopes);
    Result<std::vector<ApiKey>> list() { return repository_.list(); }
    // `not_found` if there is no such id; `conflict` if it is the last that may make keys. From the
    // next request on the key is refused.
    Result<> revoke(std::string_view id);
    // The key with this text, or none.
    Result<std::optional<ApiKey>> authenticate(std::string_view key_text);

    // For the first start: when there is no admin key, adopts `wanted` as one or, without, makes
    // one and returns its text, to be shown once. None otherwise.
    Result<std::optional<std::string>> ensure_admin(const std::optional<std::string>& wanted);

private:
    Answer<> try_to_revoke(std::string_view id);
    Result<ApiKey> describe(std::string_view name, std::string_view key_text,
                            std::vector<std::string> scopes);

    KeyRepository& repository_;
    const Clock& clock_;
    Random& random_;
    UlidGenerator ids_;
};

}  // namespace mailroom::http
