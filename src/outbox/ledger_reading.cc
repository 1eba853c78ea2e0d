#include "base/time_format.h"
#include "outbox/ledger_rows.h"

namespace mailroom::outbox {

namespace {

std::string text_or_empty(const table::ItemView& row, const char* name) {
    return std::string(row.text(name).value_or(""));
}

Error corrupt(const table::ItemView& row, std::string_view why) {
    const auto id = row.text(attribute::id).value_or("(without an id)");
    return {Errc::corrupt, "the row of mail " + std::string(id) + " " + std::string(why)};
}

// None if the row has no such attribute.
Result<std::optional<Time>> read_time(const table::ItemView& row, const table::ItemView& fields,
                                      const char* name) {
    const auto value = fields.find(name);
    if (!value) return std::optional<Time>();
    if (value->kind() == table::Kind::string) {
        if (const auto time = parse_rfc3339(value->text())) return std::optional(*time);
    }
    return corrupt(row, std::string("has no time in ") + name);
}

Result<> read_times(const table::ItemView& row, const table::ItemView& attributes, Mail& mail) {
    const auto created = TRY(read_time(row, attributes, "CreatedAt"));
    const auto updated = TRY(read_time(row, attributes, "UpdatedAt"));
    if (!created && !updated) return corrupt(row, "does not say when it was made");
    mail.created = created ? *created : *updated;
    mail.updated = updated ? *updated : *created;
    // Ours has milliseconds, but only Attributes is kept by all who move mails.
    const auto fine = TRY(read_time(row, row, attribute::updated_at));
    if (fine && to_unix_seconds(*fine) == to_unix_seconds(mail.updated)) mail.updated = *fine;
    const auto due_ms = row.integer("FirstDue");
    mail.first_due = due_ms ? from_unix_ms(*due_ms) : mail.created;
    return Ok{};
}

Result<std::int64_t> read_expiry(const table::ItemView& row, const table::ItemView& attributes) {
    auto value = row.find("TTL");
    if (!value) value = attributes.find("TTL");
    if (!value) return 0;
    const auto seconds =
        value->kind() == table::Kind::number ? value->number().to_int64() : std::nullopt;
    if (!seconds) return corrupt(row, "has a TTL that is no whole number");
    return *seconds;
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
    for (const auto known : {Recipient::State::waiting, Recipient::State::delivered,
                             Recipient::State::failed, Recipient::State::unknown}) {
        if (name_of(known) != *state) continue;
        recipient.state = known;
        return recipient;
    }
    return std::nullopt;
}

Result<std::vector<Recipient>> read_recipients(const table::ItemView& row) {
    std::vector<Recipient> recipients;
    const auto list = row.find("Recipients");
    if (!list) return recipients;
    if (list->kind() != table::Kind::list) return corrupt(row, "has no list of recipients");
    for (const auto& element : list->list()) {
        auto recipient = read_recipient(element);
        if (!recipient) return corrupt(row, "has a recipient that is none");
        recipients.push_back(*std::move(recipient));
    }
    return recipients;
}

}  // namespace

Result<Mail> read_mail(const table::ItemView& row) {
    const auto id = row.text(attribute::id);
    const auto nested = row.find(attribute::attributes);
    if (!id || !nested || nested->kind() != table::Kind::map) {
        return corrupt(row, "has no Attributes");
    }
    const auto attributes = nested->map();
    const auto state = state_named(attributes.text("Latest").value_or(""));
    if (!state) return corrupt(row, "is in no state that we know");

    Mail mail;
    mail.id = *id;
    mail.state = *state;
    mail.reason = text_or_empty(attributes, "Reason");
    mail.payload_path = text_or_empty(attributes, "PayloadFilePath");
    mail.eml_path = text_or_empty(attributes, "EMLFilePath");
    TRY(read_times(row, attributes, mail));
    mail.expires_seconds = TRY(read_expiry(row, attributes));
    const auto stream = stream_named(row.text("Stream").value_or(name_of(Stream::transactional)));
    if (!stream) return corrupt(row, "has a stream that we do not know");
    mail.stream = *stream;
    mail.sender = text_or_empty(row, "Sender");
    mail.recipients = TRY(read_recipients(row));
    mail.message_id = text_or_empty(row, "MessageId");
    mail.attempts = row.integer("Attempts").value_or(0);
    mail.held = *state == State::processing && row.text(attribute::latest) == held_name;
    mail.callback = row.boolean("Callback").value_or(false);
    if (const auto job = row.text("Job")) {
        auto position = schedule::Position::parse(*job);
        if (!position) return corrupt(row, "names a job that is none");
        mail.job = *std::move(position);
    }
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
