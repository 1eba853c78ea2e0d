// What is heard of mails after they were sent.
#include "reminders/audit.h"
#include "reminders/counters.h"
#include "reminders/deliveries.h"

namespace mailroom::reminders {

namespace {

// Whether the news changes anything: what came back or was complained about stays that.
bool is_news(DeliveryStatus before, DeliveryStatus after) {
    switch (after) {
        case DeliveryStatus::sent:
            return false;
        case DeliveryStatus::delivered:
            return before == DeliveryStatus::sent;
        case DeliveryStatus::bounced:
            return before == DeliveryStatus::sent || before == DeliveryStatus::delivered;
        case DeliveryStatus::complained:
            break;
    }
    return before == DeliveryStatus::sent || before == DeliveryStatus::delivered;
}

std::string_view counter_of(DeliveryStatus status) {
    if (status == DeliveryStatus::delivered) return counter::delivered;
    return status == DeliveryStatus::bounced ? counter::bounced : counter::complained;
}

}  // namespace

Answer<> Deliveries::apply(schedule::Transaction& transaction, const SentRecord& record,
                           DeliveryStatus status) {
    auto customer = TRY(accounts_.find(record.customer_id));
    if (status == DeliveryStatus::delivered) return Ok{};
    const bool is_bounce = status == DeliveryStatus::bounced;
    // Of the address that was written to, which need not be the customer's any more.
    if (is_bounce) {
        TRY(suppressions_.add_to(transaction, record.to_address, people::Extent::every(), "bounce",
                                 {.source = "mail"}));
    } else {
        TRY(accounts_.opt_outs().complain(transaction, record.to_address));
    }
    if (!customer) return Ok{};
    if (const auto* past = customer->past.find(record.draft_id)) {
        customer->past.settle(record.draft_id, is_bounce ? Fate::bounced : Fate::complained,
                              past->at);
    }
    if (is_bounce) {
        customer->bounce_count += 1;
    } else {
        customer->complaint_count += 1;
        customer->noted_opt_out = true;
        customer->noted_opt_out_reason = complaint_reason;
    }
    accounts_.save(transaction, *customer);
    if (!is_bounce) return Ok{};
    auto address = TRY(read_address(books_, record.to_address));
    save_address(transaction, books_, std::move(address), record.draft_id, std::nullopt);
    return Ok{};
}

Answer<SentRecord> Deliveries::report(const std::string& draft_id, DeliveryStatus status,
                                      const program::Actor& person) {
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<SentRecord> {
        const auto draft = TRY(drafts_.find(draft_id));
        if (draft.status != DraftStatus::sent) return changed_meanwhile(draft);
        const auto key = sent_row_key(draft.customer_id, draft.sent_key);
        const auto row = TRY(books_.get(books_.tables.tracking, key));
        if (!row) return Refusal::not_found("no record of the mail of draft " + draft_id);
        auto record = TRY(table::from_item<SentRecord>(*row));
        if (!is_news(record.delivery, status)) return record;
        schedule::Transaction transaction;
        transaction.update(books_.tables.tracking, key)
            .set("delivery_status", name_of(status))
            .when("delivery_status", name_of(record.delivery));
        TRY(apply(transaction, record, status));
        // On the day it was sent, so that the rates are of the same mails.
        books_.counters.add(transaction, record.sent, {counter_of(status)});
        books_.audit.add(transaction, person,
                         {.customer_id = record.customer_id,
                          .what = std::string(name_of(status)),
                          .draft_id = draft_id});
        TRY(books_.commit(transaction));
        record.delivery = status;
        return record;
    });
}

}  // namespace mailroom::reminders
