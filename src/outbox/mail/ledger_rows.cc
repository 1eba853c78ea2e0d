#include "outbox/mail/ledger_rows.h"

#include "base/time_format.h"
#include "outbox/mail/item_writer.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

// What the server said to each recipient, all together; addresses take the rest of an item.
constexpr std::size_t recipients_bytes_max = 330 * 1024;
constexpr std::size_t recipient_text_bytes_max = 1024;
constexpr std::size_t recipient_overhead_bytes = 64;  // Names and numbers of one, rounded up.
constexpr std::size_t doubt_bytes = 32;               // And of its DoubtfulSince,
constexpr std::size_t refuser_bytes = 24;             // its Refuser,
constexpr std::size_t status_bytes = 8;               // and its Status, besides what that says.

std::size_t text_bytes_for_each(const std::vector<Recipient>& recipients) {
    std::size_t used = 0;
    for (const auto& recipient : recipients) {
        used += recipient.address.size() + recipient_overhead_bytes;
        if (recipient.doubtful_since) used += doubt_bytes;
        if (recipient.refuser != Recipient::Refuser::somebody) used += refuser_bytes;
        if (!recipient.status.empty()) used += status_bytes + recipient.status.size();
    }
    if (recipients.empty() || used >= recipients_bytes_max) return 0;
    return std::min(recipient_text_bytes_max, (recipients_bytes_max - used) / recipients.size());
}

table::Item meta_attributes(const Mail& mail, bool has_steps) {
    ItemWriter fields;
    fields.text("CreatedAt", format_rfc3339_seconds(mail.created));
    fields.text_if_any("EMLFilePath", mail.eml_path);
    fields.text("Latest", name_of(mail.state));
    fields.text("PayloadFilePath", mail.payload_path);
    if (has_steps || !mail.reason.empty()) {
        fields.text("Reason", storable(mail.reason, reason_bytes_max));
    }
    fields.text("UpdatedAt", format_rfc3339_seconds(mail.updated));
    return fields.take();
}

}  // namespace

table::Value recipients_value(const std::vector<Recipient>& recipients) {
    const auto text_bytes_max = text_bytes_for_each(recipients);
    std::string payload;
    for (const auto& recipient : recipients) {
        ItemWriter fields(recipient.address.size() + recipient_overhead_bytes);
        fields.text("Address", recipient.address);
        if (recipient.code != 0) fields.number("Code", recipient.code);
        if (recipient.doubtful_since) {
            fields.number("DoubtfulSince", to_unix_ms(*recipient.doubtful_since));
        }
        if (recipient.no_such_address) fields.value("NoSuchAddress", table::Value(true));
        if (recipient.refuser != Recipient::Refuser::somebody) {
            fields.text("Refuser", mailroom::name_of(recipient.refuser));
        }
        fields.text("State", name_of(recipient.state));
        fields.text_if_any("Status", recipient.status);
        fields.text_if_any("Text", storable(recipient.text, text_bytes_max));
        payload += table::Value::map(fields.take()).encoded();
    }
    return table::Value::make(table::Kind::list, payload);
}

table::Item row_key(std::string_view id, std::string_view status) {
    return ItemWriter(id.size() + status.size() + 16)
        .text(attribute::id, id)
        .text(attribute::status, status)
        .take();
}

namespace {

table::Item follow_item(const Follow& follow) {
    return {{"Queue", follow.queue}, {"Key", follow.key}, {"Data", table::Value::map(follow.data)}};
}

}  // namespace

table::Item meta_item(const Mail& mail, bool has_steps) {
    ItemWriter fields(768);
    if (mail.attempts != 0) fields.number("Attempts", mail.attempts);
    fields.map(attribute::attributes, meta_attributes(mail, has_steps));
    if (mail.callback) fields.value("Callback", true);
    if (mail.engagement) fields.map("Engagement", table::to_item(*mail.engagement));
    fields.number("FirstDue", to_unix_ms(mail.first_due));
    if (mail.follow) fields.map("Follow", follow_item(*mail.follow));
    fields.text(attribute::id, mail.id);
    if (mail.job) fields.text("Job", mail.job->text());
    const bool expires = may_expire(mail.state);
    if (mail.expires_seconds != 0 && !expires) {
        fields.number(attribute::keep_until, mail.expires_seconds);
    }
    fields.text(attribute::latest, index_name_of(mail));
    fields.text_if_any("MessageId", mail.message_id);
    fields.value("Recipients", recipients_value(mail.recipients));
    fields.text_if_any("Sender", mail.sender);
    fields.text(attribute::status, meta_status);
    fields.text("Stream", name_of(mail.stream));
    if (mail.expires_seconds != 0 && expires) fields.number(attribute::ttl, mail.expires_seconds);
    fields.text(attribute::updated_at, format_rfc3339(mail.updated));
    return fields.take();
}

table::Item state_item(const Mail& mail, State state, std::string_view reason,
                       const Change& change) {
    ItemWriter fields;
    fields.number("At", to_unix_ms(mail.updated));
    fields.map(attribute::attributes, table::ItemView(std::string_view()));
    fields.text(attribute::id, mail.id);
    fields.text_if_any("Peer", storable(change.peer, peer_bytes_max));
    fields.text_if_any("Reason", storable(reason, reason_bytes_max));
    fields.text(attribute::status, name_of(state));
    if (mail.expires_seconds != 0) fields.number("TTL", mail.expires_seconds);
    fields.text_if_any("Tls", storable(change.tls, peer_bytes_max));
    fields.text_if_any("Transcript", storable(change.transcript, transcript_bytes_max));
    return fields.take();
}

table::Item log_item(const Mail& mail, const LogEntry& entry, std::string_view name) {
    ItemWriter fields;
    fields.number("At", to_unix_ms(entry.at));
    if (entry.code != 0) fields.number("Code", entry.code);
    fields.text(attribute::entry, name);
    fields.text(attribute::id, mail.id);
    fields.text_if_any("Peer", storable(entry.peer, peer_bytes_max));
    if (mail.expires_seconds != 0) fields.number("TTL", mail.expires_seconds);
    fields.text_if_any("Text", storable(entry.text, reason_bytes_max));
    fields.text_if_any("Transcript", storable(entry.transcript, transcript_bytes_max));
    fields.text("What", storable(entry.what, peer_bytes_max));
    return fields.take();
}

namespace {

// An update of a _META row, put together. Equal changes have equal texts: the engine knows compiled
// expressions by their text.
class MetaUpdate {
public:
    MetaUpdate(const std::string& table, const Mail& mail) {
        request_.table = table;
        request_.key = row_key(mail.id, meta_status);
        request_.bind.values.reserve(16);
        request_.update.reserve(384);
    }

    void set(std::string_view path, const char* name, table::Value value) {
        request_.update += request_.update.empty() ? "SET " : ", ";
        request_.update.append(path).append(" = ").append(name);
        request_.bind.values.emplace_back(name, std::move(value));
    }
    void remove(std::string_view path) {
        remove_ += remove_.empty() ? " REMOVE " : ", ";
        remove_ += path;
    }
    void require(std::string_view term) {
        if (!request_.condition.empty()) request_.condition += " AND ";
        request_.condition += term;
    }
    void bind(const char* name, table::Value value) {
        request_.bind.values.emplace_back(name, std::move(value));
    }

    // Its time is over when it is settled and not before.
    void set_expiry(const Mail& mail) {
        request_.bind.names.emplace_back("#ttl", attribute::ttl);
        if (may_expire(mail.state)) {
            if (mail.expires_seconds != 0) set("#ttl", ":ttl", mail.expires_seconds);
            remove(attribute::keep_until);
            if (mail.expires_seconds == 0) remove("#ttl");
        } else {
            if (mail.expires_seconds != 0) {
                set(attribute::keep_until, ":ttl", mail.expires_seconds);
            }
            remove("#ttl");
        }
    }
    void set_what_is_new(const Mail& mail, const Change& change) {
        if (change.eml_path) set("Attributes.EMLFilePath", ":eml", mail.eml_path);
        if (change.message_id) set("MessageId", ":message", mail.message_id);
        if (change.sender) set("Sender", ":sender", mail.sender);
        if (change.recipients) set("Recipients", ":recipients", recipients_value(mail.recipients));
        if (change.attempts) set("Attempts", ":attempts", mail.attempts);
        if (change.first_due) set("FirstDue", ":due", to_unix_ms(mail.first_due));
        if (change.job && mail.job) set("Job", ":job", mail.job->text());
        if (change.job && !mail.job) remove("Job");
        if (change.follow) set("Follow", ":follow", table::Value::map(follow_item(*mail.follow)));
    }
    void count_settlement(const Mail& mail, const Change& change) {
        if (change.settlements) set("Settlements", ":settlements", mail.settlements);
    }
    void require_counted_as(const std::string& counted) {
        if (counted.empty()) return require("attribute_not_exists(Latest)");
        require("Latest = :counted");
        bind(":counted", counted);
    }

    table::UpdateItem take() {
        request_.update += remove_;
        return std::move(request_);
    }

private:
    table::UpdateItem request_;
    std::string remove_;
};

}  // namespace

table::UpdateItem meta_update(const std::string& table, const StateBefore& before, const Mail& mail,
                              const Change& change) {
    MetaUpdate update(table, mail);
    update.set("Attributes.Latest", ":state", name_of(mail.state));
    update.set("Attributes.UpdatedAt", ":second", format_rfc3339_seconds(mail.updated));
    update.set("Attributes.Reason", ":reason", mail.reason);
    update.set("Latest", ":latest", index_name_of(mail));
    update.set("UpdatedAt", ":updated", format_rfc3339(mail.updated));
    update.set_expiry(mail);
    update.set_what_is_new(mail, change);
    update.count_settlement(mail, change);
    update.require("Attributes.Latest = :from");
    update.bind(":from", name_of(before.state));
    update.require_counted_as(before.counted);
    return update.take();
}

table::UpdateItem following_update(const std::string& table, const std::string& counted_before,
                                   const Mail& mail, const Change& change) {
    MetaUpdate update(table, mail);
    update.set("Latest", ":latest", index_name_of(mail));
    update.set("UpdatedAt", ":updated", format_rfc3339(mail.updated));
    update.set("Followed", ":followed", true);
    update.count_settlement(mail, change);
    if (mail.problem.empty()) {
        if (mail.expires_seconds != 0) update.set_expiry(mail);
        update.set_what_is_new(mail, change);
        if (mail.callback) update.set("Callback", ":callback", true);
        if (mail.obstacle.empty()) {
            update.remove("Obstacle");
        } else {
            update.set("Obstacle", ":obstacle", mail.obstacle);
        }
        update.require("Attributes.Latest = :state");
        update.bind(":state", name_of(mail.state));
    } else {
        update.require("attribute_exists(Id)");
    }
    update.require_counted_as(counted_before);
    return update.take();
}

}  // namespace mailroom::outbox
