#include "reminders/refusal.h"

#include "reminders/draft.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

struct ByRule {
    Decision decision;
    std::optional<std::string> draft_id;

    static constexpr auto fields =
        std::tuple{table::shown("decision", &ByRule::decision),
                   table::shown_or_omitted("draft_id", &ByRule::draft_id)};
};

struct Standing {
    DraftStatus status = DraftStatus::draft;
    std::int64_t version = 0;
    std::string content_hash;

    static constexpr auto fields = std::tuple{
        table::shown("status", &Standing::status), table::shown("version", &Standing::version),
        table::shown_or_omitted("content_hash", &Standing::content_hash)};
};

}  // namespace

// Mails that were stopped before there were codes have a sentence only.
CodedReason CodedReason::of(std::string_view both) {
    const auto colon = both.find(": ");
    const auto is_of_code = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const bool has_code =
        colon != both.npos && std::ranges::all_of(both.substr(0, colon), is_of_code);
    if (!has_code) return {"", std::string(both)};
    return {std::string(both.substr(0, colon)), std::string(both.substr(colon + 2))};
}

Refusal refused_by_rule(const Decision& decision) {
    auto refusal = Refusal::conflict(std::string(name_of(decision.verdict)), explain(decision));
    refusal.details = table::to_json(ByRule{decision, decision.open_draft_id});
    return refusal;
}

Refusal with_figures(Refusal refusal, const Figures& figures) {
    refusal.details = table::to_json(figures);
    return refusal;
}

Refusal changed_meanwhile(const Draft& draft) {
    auto refusal =
        Refusal::conflict("conflict", "the draft is " + std::string(name_of(draft.status)) +
                                          ", version " + std::to_string(draft.version));
    refusal.details = table::to_json(Standing{draft.status, draft.version, ""});
    return refusal;
}

Refusal content_changed(const Draft& draft, std::string message) {
    auto refusal = changed_meanwhile(draft);
    refusal.code = "content_changed";
    refusal.message = std::move(message);
    refusal.details = table::to_json(Standing{draft.status, draft.version, content_hash_of(draft)});
    return refusal;
}

}  // namespace mailroom::reminders
