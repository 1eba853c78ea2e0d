// Why reminders refuse, with how things stand.
#pragma once

#include "base/refusal.h"
#include "reminders/figures.h"
#include "reminders/rules.h"

#include <string>
#include <string_view>

namespace mailroom::reminders {

struct Draft;

// Why a draft came to nothing: the code of a rule (Verdict), of a refusal, or one of these.
namespace reason_code {
inline constexpr std::string_view rejected = "rejected";    // By a person.
inline constexpr std::string_view cancelled = "cancelled";  // By a person.
inline constexpr std::string_view mail_cancelled = "mail_cancelled";
inline constexpr std::string_view mail_failed = "mail_failed";
inline constexpr std::string_view no_such_address = "no_such_address";
inline constexpr std::string_view draft_changed = "draft_changed";  // After its approval.
inline constexpr std::string_view draft_gone = "draft_gone";
inline constexpr std::string_view customer_gone = "customer_gone";
inline constexpr std::string_view address_changed = "address_changed";
inline constexpr std::string_view amount_changed = "amount_changed";
}  // namespace reason_code
// As both stand in one text, "paid: it was paid"; without a code, the code is empty.
struct CodedReason {
    std::string code, text;

    static CodedReason of(std::string_view both);
    std::string both() const { return code + ": " + text; }
};

// A decision forbids it; details: decision, draft_id.
Refusal refused_by_rule(const Decision& decision);
// The same refusal, with the figures of now in the details.
Refusal with_figures(Refusal refusal, const Figures& figures);
// It is not as the caller saw it; details: status, version.
Refusal changed_meanwhile(const Draft& draft);
// Its text is not the one that was meant; details: also content_hash.
Refusal content_changed(const Draft& draft, std::string message);

}  // namespace mailroom::reminders
