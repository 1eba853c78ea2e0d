#include "program/action.h"
#include "reminders/draft_asks.h"
#include "reminders/routes.h"

#include <chrono>
#include <utility>
#include <variant>

namespace mailroom::reminders {

namespace {

using program::act;
using program::Actor;
using table::Reading;

constexpr std::size_t bulk_customers_max = 1000;
// Less than the time after which a request with an Idempotency-Key is taken for lost; a model is
// slow.
constexpr auto bulk_time_max = std::chrono::seconds(50);

struct AskForDrafts {
    std::optional<std::vector<std::string>> customer_ids;
    DraftWish wish;
    bool dry_run = false;

    static constexpr auto fields =
        std::tuple{asked("customer_ids", &AskForDrafts::customer_ids, "Up to 1,000 of them."),
                   part(&AskForDrafts::wish),
                   asked("dry_run", &AskForDrafts::dry_run, "Of many: only what the rules say.")};
    static void check(const AskForDrafts& ask, Reading& reading) {
        if (!ask.customer_ids) {
            if (ask.wish.customer_id.empty()) reading.wrong_member("customer_id", "is required");
            return;
        }
        const auto count = ask.customer_ids->size();
        if (count == 0 || count > bulk_customers_max) {
            reading.wrong_member("customer_ids", "must be a list of 1 to " +
                                                     std::to_string(bulk_customers_max) + " ids");
        }
        if (ask.wish.subject || ask.wish.text) {
            reading.wrong_member("email_content", "cannot be the same for many customers");
        }
    }
};

// What became of one of many.
struct BulkResult {
    std::string customer_id;
    std::optional<Decision> decision;  // Of a dry run.
    std::string draft_id;
    std::optional<ReminderType> type;
    std::optional<std::int64_t> version;
    std::optional<Refusal> error;

    static constexpr std::string_view record_name = "DraftResult";
    static constexpr auto fields =
        std::tuple{shown("customer_id", &BulkResult::customer_id),
                   shown_or_omitted("decision", &BulkResult::decision),
                   shown_or_omitted("draft_id", &BulkResult::draft_id),
                   shown_or_omitted("reminder_type", &BulkResult::type),
                   shown_or_omitted("version", &BulkResult::version),
                   shown_or_omitted("error", &BulkResult::error, "Why there is none.")};
};
struct Bulk {
    std::optional<std::int64_t> drafted, allowed;
    std::int64_t refused = 0;
    std::vector<BulkResult> results;

    static constexpr std::string_view record_name = "DraftResults";
    static constexpr auto fields =
        std::tuple{shown_or_omitted("drafted", &Bulk::drafted),
                   shown_or_omitted("allowed", &Bulk::allowed, "On a dry run."),
                   shown("refused", &Bulk::refused), shown("results", &Bulk::results)};
};

struct RetryDraft {
    std::optional<std::string> override_reason;

    static constexpr auto fields =
        std::tuple{spelled<AsOverride>(asked("override", &RetryDraft::override_reason))};
};
struct CancelDraft {
    std::string reason;

    static constexpr auto fields = std::tuple{asked("reason", &CancelDraft::reason)};
};

void check_one(BulkResult& result, Desk desk, const DraftWish& wish) {
    auto decision = desk.drafts.check({wish.customer_id, wish.type});
    if (decision) result.decision = *std::move(decision);
    if (!decision) result.error = decision.error();
}

void draft_one(BulkResult& result, Desk desk, const DraftWish& wish, const Actor& who) {
    const auto made = desk.drafts.create(wish, who);
    if (!made) {
        result.error = made.error();
        return;
    }
    result.draft_id = made->id;
    result.type = made->type;
    result.version = made->version;
}

Bulk draft_many(const AskForDrafts& in, Desk desk, const Actor& who) {
    const auto deadline = desk.now() + bulk_time_max;
    auto wish = in.wish;
    Bulk bulk;
    auto& good = (in.dry_run ? bulk.allowed : bulk.drafted).emplace(0);
    for (const auto& id : *in.customer_ids) {
        auto& result = bulk.results.emplace_back();
        result.customer_id = wish.customer_id = id;
        if (desk.now() > deadline) {
            result.error = Refusal(Refusal::Kind::unavailable, "out_of_time",
                                   "there was no time left for this one; ask again");
        } else if (in.dry_run) {
            check_one(result, desk, wish);
        } else {
            draft_one(result, desk, wish, who);
        }
        const bool is_good = !result.error && (!result.decision || result.decision->allowed());
        ++(is_good ? good : bulk.refused);
    }
    return bulk;
}

using OneOrMany = std::variant<program::Created<Draft>, Bulk>;

Answer<OneOrMany> ask_for_drafts(const AskForDrafts& in, Desk desk, const Actor& who) {
    if (in.customer_ids) return OneOrMany(draft_many(in, desk, who));
    return OneOrMany(program::Created<Draft>{TRY(desk.drafts.create(in.wish, who))});
}

Answer<Draft> cancel(const program::Of<CancelDraft>& in, Desk desk, const Actor& who) {
    const auto draft = TRY(desk.drafts.find(in.id));
    // To stop what a person approved is a person's decision, too.
    if (draft.status == DraftStatus::approved && !who.may(scope::approve)) {
        return Refusal(Refusal::Kind::forbidden,
                       "only a key with the scope reminders:approve may cancel what was approved");
    }
    return desk.deliveries.cancel(in.id, in.asked.reason, who);
}

void add_asking_routes(program::Api& api, Desk desk) {
    api.post(
        "/v1/reminders/drafts",
        {.name = "draft_reminders",
         .scope = scope::draft,
         .summary = "Have a reminder drafted, or up to a hundred",
         .more = "The rules are asked first; a refusal says which one, and when it is over.",
         .once = program::Once::yes,
         .agents = program::Agents::may},
        [desk](const AskForDrafts& in, const Actor& who) { return ask_for_drafts(in, desk, who); });
    api.list("/v1/reminders/drafts",
             seen("list_drafts", "Drafts of one status, those that wait if none is named"),
             act(desk.drafts, &Drafts::list));
    api.get("/v1/reminders/drafts/{id}",
            seen("show_draft", "One draft, and whether it may be sent now"),
            act(desk.drafts, &Drafts::find_with_check));
    api.patch("/v1/reminders/drafts/{id}",
              {.name = "edit_draft",
               .scope = scope::draft,
               .summary = "Change the text of a draft, or have it written anew",
               .agents = program::Agents::may},
              act(desk.drafts, &Drafts::edit));
}

}  // namespace

void add_draft_routes(program::Api& api, Desk desk) {
    add_asking_routes(api, desk);
    api.post("/v1/reminders/drafts/{id}/approve",
             decided("approve_draft", "Approve a draft: its mail leaves",
                     "The rules and the balance are asked again."),
             act(desk.drafts, &Drafts::approve));
    api.post("/v1/reminders/drafts/{id}/reject", decided("reject_draft", "Reject a draft"),
             act(desk.drafts, &Drafts::reject));
    api.post("/v1/reminders/drafts/{id}/retry",
             decided("retry_draft", "Send a reminder again that failed, if it still may be sent"),
             [desk](const program::Of<RetryDraft>& in, const Actor& who) {
                 return desk.deliveries.retry(in.id, in.asked.override_reason, who);
             });
    api.post("/v1/reminders/drafts/{id}/cancel",
             {.name = "cancel_draft",
              .scope = scope::draft,
              .summary = "Cancel a draft, or a reminder that has not left"},
             [desk](const program::Of<CancelDraft>& in, const Actor& who) {
                 return cancel(in, desk, who);
             });
}

}  // namespace mailroom::reminders
