#include "engagement/bounces/classifier.h"

#include "base/text.h"
#include "engagement/bounces/known_answers.h"
#include "mime/report/status.h"
#include "smtp/reply.h"

#include <cstddef>
#include <optional>
#include <string>

namespace mailroom::engagement::bounces {

namespace {

// Real answers have up to a thousand.
constexpr std::size_t text_bytes_read_max = 4096;

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

// Lower case, single blanks, and without the words that hold an address.
std::string readable(std::string_view text) {
    std::string out;
    text = text.substr(0, text_bytes_read_max);
    for (std::size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && !is_blank(text[end])) ++end;
        const auto word = text.substr(at, end - at);
        if (!word.empty() && word.find('@') == word.npos) {
            if (!out.empty()) out += ' ';
            out += ascii_lower(word);
        }
        at = end + 1;
    }
    return out;
}

// The parts between the stars stand in the text, in that order.
bool has_words(std::string_view text, std::string_view words) {
    while (!words.empty()) {
        const auto star = words.find('*');
        const auto part = words.substr(0, star);
        const auto at = text.find(part);
        if (at == text.npos) return false;
        text.remove_prefix(at + part.size());
        if (star == words.npos) return true;
        words.remove_prefix(star + 1);
    }
    return true;
}

bool is_host_of(std::string_view host, std::string_view end) {
    return host.ends_with(end) || host == end.substr(1);
}

std::string_view provider_of(std::string_view host, std::string_view text) {
    auto name = ascii_lower(host.substr(0, host.find(':')));
    if (name.ends_with('.')) name.pop_back();
    for (const auto& known : known_providers()) {
        if (!known.host.empty() && is_host_of(name, known.host)) return known.name;
    }
    for (const auto& known : known_providers()) {
        if (!known.words.empty() && has_words(text, known.words)) return known.name;
    }
    return "";
}

const KnownStatus* find_status(const std::optional<smtp::EnhancedStatus>& status) {
    if (!status) return nullptr;
    for (const auto& known : known_statuses()) {
        if (known.subject == status->subject && known.detail == status->detail) return &known;
    }
    return nullptr;
}

const KnownWords* find_words(std::string_view provider, std::string_view text, bool must_outweigh) {
    for (const auto& all : {known_words_of_providers(), known_words_of_anybody()}) {
        for (const auto& known : all) {
            if (must_outweigh && !known.outweighs) continue;
            if (!known.provider.empty() && known.provider != provider) continue;
            if (has_words(text, known.words)) return &known;
        }
    }
    return nullptr;
}

// When all that is known is the code of SMTP (RFC 5321, 4.2.3).
Cause cause_of_code(int code) {
    if (code == 552) return Cause::mailbox_full;
    return code >= 400 && code < 500 ? Cause::server_failed : Cause::unclear;
}

// Nobody of whom it is said for now only is gone for good.
Cause for_now(Cause cause) {
    return severity_of(cause) == Severity::hard ? Cause::mailbox_unavailable : cause;
}

std::optional<smtp::EnhancedStatus> status_of(std::string_view given, std::string_view text) {
    if (!given.empty()) return smtp::parse_enhanced_status(given);
    const auto found = mime::find_enhanced_status(text);
    return found ? smtp::parse_enhanced_status(*found) : std::nullopt;
}

Cause cause_of(const std::optional<smtp::EnhancedStatus>& status, int code,
               std::string_view provider, std::string_view text) {
    const auto* by_status = find_status(status);
    const bool decides = by_status != nullptr && by_status->weight == Weight::decides;
    if (const auto* words = find_words(provider, text, decides)) return words->cause;
    if (by_status != nullptr) return by_status->cause;
    return cause_of_code(code);
}

}  // namespace

Diagnosis classify(const Refused& refused) {
    const auto text = readable(refused.text);
    const auto status = status_of(refused.status, text);
    // In a report it stands in the text.
    const int code = refused.code != 0 ? refused.code : mime::find_reply_code(text).value_or(0);
    Diagnosis diagnosis;
    diagnosis.provider = provider_of(refused.host, text);
    diagnosis.cause = cause_of(status, code, diagnosis.provider, text);
    const bool is_for_now = status ? status->category == 4 : code >= 400 && code < 500;
    if (is_for_now) diagnosis.cause = for_now(diagnosis.cause);
    diagnosis.severity = severity_of(diagnosis.cause);
    return diagnosis;
}

std::string_view bounce_type(Severity severity) {
    if (severity == Severity::hard) return "Permanent";
    return severity == Severity::soft ? "Transient" : "Undetermined";
}

}  // namespace mailroom::engagement::bounces
