#include "mime/dkim/verify.h"

#include "base/text.h"
#include "mime/dkim/canonical.h"
#include "mime/dkim/key.h"
#include "mime/dkim/key_record.h"
#include "mime/dkim/message.h"
#include "mime/dkim/signature.h"

#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

using Outcome = Verdict::Outcome;

constexpr std::size_t records_tried_max = 4;  // A name should have one.
constexpr std::chrono::minutes clock_difference_max{15};

struct Refusal {
    Outcome outcome;
    std::string reason;
};

class Verifier {
public:
    Verifier(std::string_view message, KeyLookup& lookup, Time now)
        : message_(split_message(message)), lookup_(lookup), now_(now) {}

    std::vector<Verdict> run() {
        std::vector<Verdict> verdicts;
        for (const auto& field : message_.fields) {
            if (field.lower_name != "dkim-signature") continue;
            if (verdicts.size() == signatures_listed_max) break;
            auto& verdict = verdicts.emplace_back();
            if (verdicts.size() > signatures_checked_max) {
                verdict.reason = "too many signatures";
                continue;
            }
            const auto refusal = check(field, verdict);
            verdict.outcome = refusal ? refusal->outcome : Outcome::pass;
            if (refusal) verdict.reason = refusal->reason;
        }
        return verdicts;
    }

private:
    struct KnownBody {
        Canonicalisation form;
        std::optional<std::uint64_t> length;
        BodyHash hash;
    };

    // None if the signature is good.
    std::optional<Refusal> check(const HeaderField& field, Verdict& verdict) {
        Signature signature;
        const auto parsed = parse_signature(field, signature);
        verdict.domain = signature.domain;
        verdict.selector = signature.selector;
        verdict.identity = signature.identity;
        verdict.algorithm = signature.algorithm;
        verdict.signed_headers = signature.headers;
        verdict.body_length = signature.body_length;
        if (!parsed) return Refusal{Outcome::permanent_error, parsed.error().message};
        if (auto refusal = check_times(signature)) return refusal;

        KeyRecord record;
        if (auto refusal = find_key(signature, record)) return refusal;
        verdict.testing = record.testing;
        if (auto refusal = check_record(signature, record)) return refusal;
        if (auto refusal = check_body(signature, verdict)) return refusal;
        return check_signature(field, signature, record);
    }

    std::optional<Refusal> check_times(const Signature& signature) const {
        const auto now = to_unix_seconds(now_);
        if (signature.expires_at && *signature.expires_at < now) {
            return Refusal{Outcome::permanent_error, "the signature has expired"};
        }
        const auto latest = to_unix_seconds(now_ + clock_difference_max);
        if (signature.signed_at && *signature.signed_at > latest) {
            return Refusal{Outcome::permanent_error, "the signature was made in the future"};
        }
        return std::nullopt;
    }

    std::optional<Refusal> find_key(const Signature& signature, KeyRecord& record) {
        const auto records = lookup_.txt(signature.selector + "._domainkey." + signature.domain);
        if (!records && records.error().code != Errc::not_found) {
            return Refusal{Outcome::temporary_error,
                           "the key could not be looked up: " + records.error().message};
        }
        if (!records || records->empty()) {
            return Refusal{Outcome::permanent_error, "there is no key for the signature"};
        }
        Refusal refusal{Outcome::permanent_error, ""};
        for (std::size_t i = 0; i < std::min(records->size(), records_tried_max); ++i) {
            auto parsed = parse_key_record((*records)[i]);
            if (parsed) {
                record = *std::move(parsed);
                return std::nullopt;
            }
            if (refusal.reason.empty()) refusal.reason = parsed.error().message;
        }
        return refusal;
    }

    static std::optional<Refusal> check_record(const Signature& signature,
                                               const KeyRecord& record) {
        const auto refuse = [](std::string reason) {
            return Refusal{Outcome::permanent_error, std::move(reason)};
        };
        if (record.key.empty()) return refuse("the key was revoked");
        if (record.algorithm != signature.algorithm) {
            return refuse("the key is of another kind than the signature");
        }
        if (!record.allows_sha256) return refuse("the key is not for SHA-256");
        if (!record.allows_mail) return refuse("the key is not for mail");
        const auto at = signature.identity.rfind('@');
        const auto domain = ascii_lower(std::string_view(signature.identity).substr(at + 1));
        if (record.exact_identity && domain != signature.domain) {
            return refuse("the key does not allow an identity in a subdomain");
        }
        return std::nullopt;
    }

    std::optional<Refusal> check_body(const Signature& signature, Verdict& verdict) {
        const auto& hash = body_hash(signature.body_form, signature.body_length);
        if (signature.body_length && *signature.body_length > hash.body_bytes) {
            return Refusal{Outcome::fail, "the body is shorter than what was signed"};
        }
        verdict.body_has_unsigned_end = hash.hashed_bytes < hash.body_bytes;
        if (hash.sha256 != signature.body_hash) {
            return Refusal{Outcome::fail, "the body was changed"};
        }
        return std::nullopt;
    }

    const BodyHash& body_hash(Canonicalisation form, std::optional<std::uint64_t> length) {
        for (const auto& known : bodies_) {
            if (known.form == form && known.length == length) return known.hash;
        }
        bodies_.push_back({form, length, hash_body(message_.body, form, length)});
        return bodies_.back().hash;
    }

    std::optional<Refusal> check_signature(const HeaderField& field, const Signature& signature,
                                           const KeyRecord& record) const {
        const auto key = PublicKey::from_bytes(signature.algorithm, record.key);
        if (!key) return Refusal{Outcome::permanent_error, key.error().message};
        std::string data;
        for (const auto* picked : pick_fields(message_, signature.headers)) {
            if (picked == nullptr) continue;
            append_canonical(data, *picked, signature.header_form);
            data += "\r\n";
        }
        // RFC 6376, 3.7: the signature itself comes last, without the value of b= and the CRLF.
        const auto whole = std::string(field.whole.substr(0, field.whole.find(':') + 1)) +
                           signature.unsigned_value;
        const HeaderField own{field.lower_name, field.name, signature.unsigned_value, whole};
        append_canonical(data, own, signature.header_form);
        if (!key->verifies(data, signature.signature)) {
            return Refusal{Outcome::fail, "the signature does not match the header"};
        }
        return std::nullopt;
    }

    Message message_;
    KeyLookup& lookup_;
    Time now_;
    std::vector<KnownBody> bodies_;
};

}  // namespace

std::vector<Verdict> verify(std::string_view message, KeyLookup& lookup, Time now) {
    return Verifier(message, lookup, now).run();
}

}  // namespace mailroom::mime::dkim
