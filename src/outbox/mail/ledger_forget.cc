// What is taken out of the rows of a mail when somebody who got it is erased. That it was sent,
// when and with what answer stays.
#include "outbox/mail/ledger_rows.h"
#include "table/write_builder.h"

namespace mailroom::outbox {

namespace {

constexpr std::size_t rows_in_transaction_max = 50;  // DynamoDB takes 100.

// What servers and programs wrote there may have the address in it.
constexpr const char* told_texts[] = {"Reason", "Text", "Transcript"};

}  // namespace

Result<> Ledger::forget_told(const std::string& id) {
    const auto rows = TRY(rows_beside(id));
    for (std::size_t at = 0; at < rows.size();) {
        table::write::Transaction together;
        for (std::size_t i = 0; i < rows_in_transaction_max && at < rows.size(); ++i, ++at) {
            auto& update = together.update(rows[at].table, rows[at].key);
            for (const auto* name : told_texts) update.remove(name);
            update.if_present(attribute::id);
        }
        TRY(store_->transact(together));
    }
    return Ok{};
}

Result<> Ledger::rename_recipients(const Mail& mail, const std::vector<Recipient>& recipients) {
    TRY(forget_told(mail.id));
    table::UpdateItem update;
    update.table = names_.outbox;
    update.key = row_key(mail.id, meta_status);
    update.update = "SET Recipients = :recipients, Attributes.Reason = :reason";
    if (mail.engagement) update.update += " REMOVE Engagement.Subject";
    update.condition = "Attributes.Latest = :state";
    update.bind.values = {{":recipients", recipients_value(recipients)},
                          {":reason", table::Value("")},
                          {":state", table::Value(name_of(mail.state))}};
    const auto updated = store_->update(update);
    if (updated) return Ok{};
    return Error(updated.error());
}

}  // namespace mailroom::outbox
