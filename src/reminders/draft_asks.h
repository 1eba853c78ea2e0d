// What people ask of drafts.
#pragma once

#include "reminders/author.h"
#include "reminders/draft.h"
#include "reminders/fields.h"
#include "reminders/reminder_type.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mailroom::reminders {

// Why a manager decides against the rules: {"reason":"…"}.
struct Override {
    std::string reason;

    static constexpr std::string_view record_name = "Override";
    static constexpr auto fields =
        std::tuple{required("reason", &Override::reason, "Why, for the audit. Managers only.")};
};
// The reason alone.
struct AsOverride : table::Form<Override> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        Override given;
        table::read_object(view, given, reading);
        to = std::move(given.reason);
    }
};

// May this customer get a reminder now?
struct CheckCustomer {
    std::string customer_id;
    std::optional<ReminderType> type = std::nullopt;

    static constexpr auto fields = std::tuple{
        required("customer_id", &CheckCustomer::customer_id),
        asked("type", &CheckCustomer::type, "The one that comes next, if it is not said.")};
};

enum class ListOrder { asc, desc };
constexpr auto names_of(ListOrder) {
    return std::array{Name{ListOrder::asc, "asc"}, Name{ListOrder::desc, "desc"}};
}
struct DraftFilter {
    DraftStatus status = DraftStatus::draft;
    ListOrder order = ListOrder::asc;

    static constexpr auto fields = std::tuple{
        asked("status", &DraftFilter::status),
        asked("order", &DraftFilter::order, "asc: the oldest first; desc: the newest first.")};
};

struct DraftWish {
    std::string customer_id;
    std::optional<ReminderType> type = std::nullopt;
    std::optional<Writer> writer = std::nullopt;
    std::string template_id = {};
    bool fallback = false;
    // A person's own text, in place of a written one: both or none.
    std::optional<std::string> subject = std::nullopt, text = std::nullopt;
    std::optional<std::string> override_reason = std::nullopt;

    static constexpr auto fields = std::tuple{
        asked("customer_id", &DraftWish::customer_id, "Whom to write to, or:"),
        asked("reminder_type", &DraftWish::type, "The one that comes next, if it is not said."),
        asked("writer", &DraftWish::writer),
        asked("template_id", &DraftWish::template_id),
        asked("fallback", &DraftWish::fallback, "The template, should the model not help."),
        asked("email_subject", &DraftWish::subject, "A text of your own, with email_content."),
        asked("email_content", &DraftWish::text),
        spelled<AsOverride>(asked("override", &DraftWish::override_reason))};
};

struct DraftEdit {
    std::int64_t version = 0;
    std::optional<std::string> subject = std::nullopt, text = std::nullopt, html = std::nullopt;
    bool rebuild = false;

    static constexpr auto fields =
        std::tuple{required("version", &DraftEdit::version, "The one that was seen."),
                   asked("email_subject", &DraftEdit::subject),
                   asked("email_content", &DraftEdit::text), asked("email_html", &DraftEdit::html),
                   asked("rebuild", &DraftEdit::rebuild, "Write it anew, with today's figures.")};
    static void check(const DraftEdit& edit, table::Reading& reading) {
        const bool has_text = edit.subject || edit.text || edit.html;
        if (edit.rebuild != has_text) return;
        reading.wrong_member("rebuild", "must be true, or there must be a new text, not both");
    }
};

// What a person agrees to send.
struct Consent {
    std::int64_t version = 0;
    std::optional<std::string> override_reason = std::nullopt;
    // content_hash_of() of what was seen. None: what was last written here in that version.
    std::optional<std::string> content_hash = std::nullopt;

    static constexpr auto fields =
        std::tuple{required("version", &Consent::version, "The one that was seen."),
                   asked("content_hash", &Consent::content_hash, "Of the text that was seen."),
                   spelled<AsOverride>(asked("override", &Consent::override_reason))};
};

struct Rejection {
    std::optional<std::int64_t> version;  // The one that was seen.
    std::string reason;

    static constexpr auto fields =
        std::tuple{asked("version", &Rejection::version), required("reason", &Rejection::reason)};
};

}  // namespace mailroom::reminders
