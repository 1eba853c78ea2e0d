#include "base/time_format.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger_rows.h"

namespace mailroom::outbox {

namespace {

constexpr std::size_t id_bytes_max = 512;  // What the key of a job may have.

std::string text_or_empty(const table::ItemView& row, const char* name) {
    return std::string(row.text(name).value_or(""));
}

// None if the row has no such attribute, or something else in it.
std::optional<Time> read_time(const table::ItemView& fields, const char* name) {
    const auto text = fields.text(name);
    const auto time = text ? parse_rfc3339(*text) : Error{Errc::not_found, ""};
    return time ? std::optional(*time) : std::nullopt;
}

void read_times(const table::ItemView& row, const table::ItemView& attributes, Mail& mail) {
    const auto created = read_time(attributes, "CreatedAt");
    const auto updated = read_time(attributes, "UpdatedAt");
    // Ours has milliseconds, but only Attributes is kept by all who move mails.
    const auto fine = read_time(row, attribute::updated_at);
    const auto any = updated ? updated : fine ? fine : created;
    mail.updated = any.value_or(Time());
    mail.created = created.value_or(mail.updated);
    if (fine && to_unix_seconds(*fine) == to_unix_seconds(mail.updated)) mail.updated = *fine;
    const auto due_ms = row.integer("FirstDue");
    mail.first_due = due_ms ? from_unix_ms(*due_ms) : mail.created;
}

void read_expiry(const table::ItemView& row, const table::ItemView& attributes, Mail& mail) {
    const auto kept = row.integer(attribute::keep_until);
    const auto ttl = row.integer(attribute::ttl);
    const auto in_attributes = attributes.integer(attribute::ttl);
    mail.expires_seconds = kept ? *kept : ttl ? *ttl : in_attributes.value_or(0);
    mail.expires_too_early = ttl && !may_expire(mail.state);
    // What waits is counted without its time, whoever gave it one.
    const auto counted = state_named(mail.counted);
    mail.counted_expiry_seconds = counted && may_expire(*counted) ? ttl.value_or(0) : 0;
}

std::optional<Recipient> read_recipient(const table::ValueView& value) {
    if (value.kind() != table::Kind::map) return std::nullopt;
    const auto fields = value.map();
    const auto address = fields.text("Address");
    const auto state = fields.text("State");
    if (!address || !state) return std::nullopt;
    Recipient recipient{.address = std::string(*address)};
    recipient.code = static_cast<int>(fields.integer("Code").value_or(0));
    recipient.text = text_or_empty(fields, "Text");
    recipient.status = text_or_empty(fields, "Status");
    recipient.refuser = named<Recipient::Refuser>(text_or_empty(fields, "Refuser"))
                            .value_or(Recipient::Refuser::somebody);
    recipient.no_such_address = fields.boolean("NoSuchAddress").value_or(false);
    if (const auto since = fields.integer("DoubtfulSince")) {
        recipient.doubtful_since = from_unix_ms(*since);
    }
    for (const auto known : {Recipient::State::waiting, Recipient::State::delivered,
                             Recipient::State::failed, Recipient::State::unknown}) {
        if (name_of(known) != *state) continue;
        recipient.state = known;
        return recipient;
    }
    return std::nullopt;
}

// None if there is something that is no recipient: whoever is left out would not get the mail.
std::optional<std::vector<Recipient>> read_recipients(const table::ItemView& row) {
    std::vector<Recipient> recipients;
    const auto list = row.find("Recipients");
    if (!list) return recipients;
    if (list->kind() != table::Kind::list) return std::nullopt;
    for (const auto& element : list->list()) {
        auto recipient = read_recipient(element);
        if (!recipient) return std::nullopt;
        recipients.push_back(*std::move(recipient));
    }
    return recipients;
}

// Other programs may have written anything; jobs of our own queues are not for them to make.
std::optional<Follow> read_follow(const table::ItemView& row) {
    const auto found = row.find("Follow");
    if (!found || found->kind() != table::Kind::map) return std::nullopt;
    const auto map = found->map();
    const auto data = map.find("Data");
    Follow follow{text_or_empty(map, "Queue"), text_or_empty(map, "Key")};
    if (data && data->kind() == table::Kind::map) follow.data = table::Item(data->map());
    if (!may_be_followed(follow)) return std::nullopt;
    return follow;
}

// The attributes as other programs write them.
void read_attributes(const table::ItemView& attributes, Mail& mail) {
    const auto name = attributes.text("Latest");
    const auto state = state_named(name.value_or(""));
    if (state) {
        mail.state = *state;
    } else {
        mail.state = State::invalid;
        mail.problem = name ? "the row is in a state that is not known: " + storable(*name, 64)
                            : "the row does not say in which state it is (Attributes.Latest)";
    }
    mail.reason = text_or_empty(attributes, "Reason");
    mail.payload_path = text_or_empty(attributes, "PayloadFilePath");
    mail.eml_path = text_or_empty(attributes, "EMLFilePath");
}

}  // namespace

Mail read_mail(const table::ItemView& row) {
    Mail mail;
    mail.id = text_or_empty(row, attribute::id);
    mail.counted = text_or_empty(row, attribute::latest);
    const auto nested = row.find(attribute::attributes);
    const bool has_attributes = nested && nested->kind() == table::Kind::map;
    const auto attributes = has_attributes ? nested->map() : table::ItemView(std::string_view());
    read_attributes(attributes, mail);
    if (!has_attributes) mail.problem = "the row has no map in Attributes";
    read_times(row, attributes, mail);
    read_expiry(row, attributes, mail);
    mail.stream = stream_named(row.text("Stream").value_or("")).value_or(Stream::transactional);
    mail.sender = text_or_empty(row, "Sender");
    if (auto recipients = read_recipients(row)) {
        mail.recipients = *std::move(recipients);
    } else {
        mail.problem = "the row has something in Recipients that is no recipient";
    }
    mail.message_id = text_or_empty(row, "MessageId");
    mail.attempts = row.integer("Attempts").value_or(0);
    mail.callback = row.boolean("Callback").value_or(false);
    mail.is_followed = row.has("Followed") || row.has("FirstDue");
    mail.follow = read_follow(row);
    if (const auto said = row.find("Engagement")) {
        mail.engagement = table::Form<Engagement>::load(*said);
    }
    mail.settlements = row.integer("Settlements").value_or(0);
    if (const auto job = row.text("Job")) {
        auto position = schedule::Position::parse(*job);
        if (position) mail.job = *std::move(position);
    }
    if (!may_expire(mail.state) && !mail.job) {
        mail.obstacle = text_or_empty(row, "Obstacle");
        if (mail.reason.empty()) mail.reason = mail.obstacle;
    }
    if (mail.id.size() > id_bytes_max) {
        mail.problem = "the Id has more than " + std::to_string(id_bytes_max) + " bytes";
    }
    if (!mail.problem.empty()) {
        mail.state = State::invalid;
        mail.reason = mail.problem;
        mail.expires_seconds = row.integer(attribute::ttl).value_or(0);
    }
    mail.held = mail.state == State::processing && mail.counted == held_name;
    return mail;
}

StateEntry read_state(const table::ItemView& row, State state, Time before) {
    const auto at_ms = row.integer("At");
    return {.state = state,
            .at = at_ms ? from_unix_ms(*at_ms) : before,
            .reason = text_or_empty(row, "Reason"),
            .peer = text_or_empty(row, "Peer"),
            .tls = text_or_empty(row, "Tls"),
            .transcript = text_or_empty(row, "Transcript")};
}

LogEntry read_log_entry(const table::ItemView& row) {
    return {.at = from_unix_ms(row.integer("At").value_or(0)),
            .what = text_or_empty(row, "What"),
            .text = text_or_empty(row, "Text"),
            .code = static_cast<int>(row.integer("Code").value_or(0)),
            .peer = text_or_empty(row, "Peer"),
            .transcript = text_or_empty(row, "Transcript")};
}

}  // namespace mailroom::outbox
