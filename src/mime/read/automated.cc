#include "mime/read/automated.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

constexpr std::size_t beginning_characters = 300;
constexpr std::size_t reason_bytes_max = 200;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// The value without parameters and comments, in lower case.
std::string word_of(std::string_view value) {
    return ascii_lower(trim(value.substr(0, value.find_first_of(";("))));
}

class Judge {
public:
    explicit Judge(const Headers& headers) : headers_(headers) {}

    Automated by_headers() {
        check("Auto-Submitted", [](const std::string& v) { return !v.empty() && v != "no"; });
        for (const auto* name : {"X-Autoreply", "X-Auto-Reply", "X-Autorespond", "X-Autoresponder",
                                 "X-AutoReply-From", "X-Mail-Autoreply"}) {
            check(name, [](const std::string& v) { return v != "no" && v != "false" && v != "0"; });
        }
        // DR, RN and NRN hold back receipts and stand on people's mail as well.
        check("X-Auto-Response-Suppress", [](const std::string& v) {
            return contains(v, "all") || contains(v, "oof") || contains(v, "autoreply");
        });
        check("Precedence", [](const std::string& v) {
            return v == "bulk" || v == "junk" || v == "auto_reply" || v == "auto-reply";
        });
        check("Return-Path", [](const std::string& v) { return v == "<>"; });
        check("Content-Type", [](const std::string& v) { return v == "multipart/report"; });
        for (const auto* name : {"List-Id", "List-Unsubscribe", "List-Post"}) {
            if (headers_.has(name)) verdict_.is_list = true;
        }
        if (const auto precedence = headers_.find("Precedence")) {
            if (word_of(*precedence) == "list") verdict_.is_list = true;
        }
        return std::move(verdict_);
    }

private:
    template <class Says>
    void check(std::string_view name, Says says) {
        for (const auto& field : headers_.fields()) {
            if (!ascii_equal_ignoring_case(field.name, name) || !says(word_of(field.value))) {
                continue;
            }
            verdict_.is_automated = true;
            const auto value = unfold(field.value);
            verdict_.reasons.push_back(std::string(name) + ": " +
                                       std::string(truncate_utf8(value, reason_bytes_max)));
            return;
        }
    }

    const Headers& headers_;
    Automated verdict_;
};

enum class Weight {
    certain,   // Alone in a subject it is enough.
    everyday,  // People write it, too: `vacation homes`, `bounce rate`.
};

struct Phrase {
    std::string_view text;  // ASCII letters in lower case.
    Weight weight = Weight::certain;
};

constexpr Phrase phrases[] = {
    {"auto reply"},
    {"auto-reply"},
    {"autoreply"},
    {"automatic reply"},
    {"automatic response"},
    {"auto response"},
    {"auto-response"},
    {"automated response"},
    {"automated reply"},
    {"out of office"},
    {"out of the office"},
    {"away from my desk"},
    {"away from desk"},
    {"delivery status notification"},
    {"mail delivery subsystem"},
    {"mail delivery failed"},
    {"undeliverable"},
    {"vacation", Weight::everyday},
    {"bounce", Weight::everyday},
    {"automatische antwort"},
    {"abwesenheitsnotiz"},
    {"nicht im büro"},
    {"außer haus", Weight::everyday},
    {"unzustellbar"},
    {"réponse automatique"},
    {"absent du bureau"},
    {"respuesta automática"},
    {"fuera de la oficina"},
    {"risposta automatica"},
    {"fuori sede", Weight::everyday},
    {"automatisch antwoord"},
    {"resposta automática"},
    {"automatiskt svar"},
    {"automatisk svar"},
};

std::string_view first_characters(std::string_view text, std::size_t characters) {
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
        if (starts_character && characters-- == 0) break;
    }
    return text.substr(0, end);
}

void judge_by_phrases(Automated& verdict, std::string_view subject, std::string_view new_content) {
    const auto in_subject = ascii_lower(subject);
    const auto in_text = ascii_lower(first_characters(new_content, beginning_characters));
    std::size_t hits = 0;
    bool decisive = false;
    std::vector<std::string> reasons;
    for (const auto& phrase : phrases) {
        const bool subject_has = contains(in_subject, phrase.text);
        if (!subject_has && !contains(in_text, phrase.text)) continue;
        ++hits;
        decisive = decisive || (subject_has && phrase.weight == Weight::certain);
        reasons.push_back((subject_has ? "the subject says: " : "the text says: ") +
                          std::string(phrase.text));
    }
    if (!decisive && hits < 2) return;
    verdict.is_automated = true;
    verdict.reasons = std::move(reasons);
}

}  // namespace

Automated detect_automated(const Headers& headers, std::string_view subject,
                           std::string_view new_content) {
    auto verdict = Judge(headers).by_headers();
    if (!verdict.is_automated) judge_by_phrases(verdict, subject, new_content);
    return verdict;
}

}  // namespace mailroom::mime
