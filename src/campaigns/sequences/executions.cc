#include "campaigns/sequences/executions.h"

#include "base/ids.h"
#include "base/time_format.h"
#include "people/canonical.h"
#include "people/checks.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

people::MailKind kind_of(bool is_transactional) {
    return is_transactional ? people::Stream::transactional : people::Stream::bulk;
}

people::Change change_by(const Subscriber& subscriber) {
    people::Change change;
    change.given = subscriber.email;
    change.source = "sequence";
    if (!subscriber.first_name.empty()) change.first_name = subscriber.first_name;
    for (const auto field : subscriber.attributes.view()) {
        const bool is_system = people::is_system_column(field.name);
        if (is_system || !people::wrong_with_attribute_name(field.name).empty()) continue;
        change.attributes.set(field.name, field.value);
    }
    return change;
}

Refusal not_inside(std::string_view address, std::string_view sequence) {
    return Refusal::not_found(std::string(address) + " is not in sequence " +
                              std::string(sequence));
}

std::string arn_of(const table::Item& row) {
    return std::string(row.text("executionArn").value_or(""));
}

// As it was read, whoever wrote it.
template <class Write>
void rest_on_row(Write& write, const std::optional<table::Item>& row) {
    if (!row) {
        write.if_absent("PK");
    } else if (row->has("executionArn")) {
        write.when("executionArn", table::Value(*row->find("executionArn")));
    } else {
        write.if_present("PK").if_absent("executionArn");
    }
}

}  // namespace

// The rows of somebody in a sequence; none where they are not.
struct Executions::Seen {
    std::string address, sequence;
    std::optional<table::Item> persons, sequences;
    std::optional<Execution> ours;

    bool is_inside() const { return persons || sequences; }
    // Whom we take through it.
    bool is_ours() const { return ours && persons && arn_of(*persons) == ours->id; }
};

Result<Executions::Seen> Executions::look(const std::string& address,
                                          const std::string& sequence) const {
    Seen seen{address, sequence, {}, {}, {}};
    const auto& audience = books_.tables.audience;
    seen.persons = TRY(books_.get(audience, persons_row_key(address, sequence)));
    seen.sequences = TRY(books_.get(audience, sequences_row_key(address, sequence)));
    seen.ours = TRY(find(address, sequence));
    return seen;
}

Result<std::optional<Execution>> Executions::find(std::string_view address,
                                                  std::string_view sequence) const {
    return rows_.find(Execution::key(address, sequence));
}

Answer<> Executions::check_entry(const Definition& definition, const std::string& address) const {
    const auto profile = TRY(people_.find(address));
    const auto refused = entry_refusal(definition, profile, address);
    if (refused) return Refusal::conflict("may_not_enter", *refused);
    const auto kind = kind_of(definition.transactional);
    const auto why = TRY(people_.suppressions().refusal(kind, address));
    if (!why) return Ok{};
    return Refusal::conflict("may_not_enter", "Cannot register sequence for " +
                                                  std::string(people::word_of(*why)) +
                                                  " subscriber: " + address);
}

Answer<Execution> Executions::enter(const std::string& sequence,
                                    const Subscriber& subscriber) const {
    const auto canonical = people::canonical_of(subscriber.email);
    if (!canonical) return Refusal::bad_field("email", "must be an e-mail address");
    TRY(sequences_.require(sequence));
    TRY(people_.change(subscriber.email, change_by(subscriber)));
    return settled(books_.store.pauses(race_pauses),
                   [&] { return enter_once(sequence, subscriber, *canonical); });
}

Answer<Execution> Executions::enter_once(const std::string& id, const Subscriber& subscriber,
                                         const std::string& address) const {
    const auto sequence = TRY(sequences_.require(id));
    const auto& definition = sequence.definition;
    TRY(check_entry(definition, address));
    const auto seen = TRY(look(address, sequence.id));
    const auto plan = TRY(sequences_.plan_of(definition));
    const auto now = books_.clock.now();
    Execution execution;
    execution.address = address;
    execution.sequence = sequence.id;
    execution.id = UlidGenerator(books_.clock, books_.random).next();
    execution.sequence_version = sequence.version;
    execution.started = now;
    execution.transactional = definition.transactional;
    execution.standing = Standing::at_the_beginning(plan, now);
    execution.data.value = journey_data(subscriber);
    execution.version = seen.ours ? seen.ours->version : 0;
    schedule::Transaction together;
    replace(together, seen, execution);
    save_with_job(together, execution, now);
    // Whoever deletes the sequence meanwhile does not leave somebody in it.
    together.check(books_.tables.campaigns, Sequence::key(sequence.id))
        .when("version", sequence.version);
    TRY(people_.suppressions().require_none(together, kind_of(definition.transactional), address));
    TRY(books_.commit(together));
    return execution;
}

void Executions::replace(schedule::Transaction& together, const Seen& seen,
                         const Execution& execution) const {
    const auto& audience = books_.tables.audience;
    const table::Item facts{{"executionArn", execution.id},
                            {"startedAt", format_rfc3339(execution.started)},
                            {"transactional", table::Value(execution.transactional)}};
    auto persons = persons_row_key(seen.address, seen.sequence);
    auto sequences = sequences_row_key(seen.address, seen.sequence);
    for (const auto field : facts.view()) {
        persons.set(field.name, field.value);
        sequences.set(field.name, field.value);
    }
    persons.set("sequenceId", table::Value(seen.sequence));
    sequences.set("email", table::Value(seen.address));
    rest_on_row(together.put(audience, std::move(persons)), seen.persons);
    rest_on_row(together.put(audience, std::move(sequences)), seen.sequences);
    if (!seen.is_ours()) return;
    keep_past(together, {seen.address, seen.sequence, seen.ours->id, "replaced",
                         "Replaced by new execution", seen.ours->standing.at, "",
                         seen.ours->sequence_version, seen.ours->started, execution.started});
}

void Executions::erase(schedule::Transaction& together, const Seen& seen) const {
    const auto& audience = books_.tables.audience;
    if (seen.persons) {
        rest_on_row(together.erase(audience, persons_row_key(seen.address, seen.sequence)),
                    seen.persons);
    }
    if (seen.sequences) {
        rest_on_row(together.erase(audience, sequences_row_key(seen.address, seen.sequence)),
                    seen.sequences);
    }
    if (seen.ours) rows_.erase(together, *seen.ours);
}

void Executions::keep_past(schedule::Transaction& together, const PastExecution& past) const {
    together.put(past_.table(), table::to_item(past));
}

void Executions::save_with_job(schedule::Transaction& together, Execution& execution,
                               Time due) const {
    execution.job_due = due;
    rows_.save(together, execution);
    books_.schedule.add(
        together, {.queue = std::string(sequence_queue),
                   .key = execution.id,
                   .due = due,
                   .data = {{"address", execution.address}, {"sequence", execution.sequence}}});
}

Answer<> Executions::stop(const std::string& sequence, std::string_view email,
                          const std::string& reason, const program::Actor& who) const {
    const auto address = TRY(people::canonical_of(email));
    return settled(books_.store.pauses(race_pauses),
                   [&] { return stop_once(address, sequence, reason, who); });
}

Answer<> Executions::stop_once(const std::string& address, const std::string& sequence,
                               const std::string& reason, const program::Actor& who) const {
    const auto seen = TRY(look(address, sequence));
    if (!seen.is_inside()) return not_inside(address, sequence);
    schedule::Transaction together;
    erase(together, seen);
    const auto& row = seen.persons ? *seen.persons : *seen.sequences;
    const auto started = parse_rfc3339(row.text("startedAt").value_or(""));
    const auto now = books_.clock.now();
    PastExecution past{address,   sequence, arn_of(row),
                       "stopped", reason,   "",
                       who.name,  0,        started ? *started : now,
                       now};
    if (seen.is_ours()) {
        past.at = seen.ours->standing.at;
        past.sequence_version = seen.ours->sequence_version;
    }
    keep_past(together, past);
    return books_.commit(together);
}

Answer<Execution> Executions::pause(const std::string& sequence, std::string_view email) const {
    return change(sequence, email, Execution::State::paused);
}

Answer<Execution> Executions::resume(const std::string& sequence, std::string_view email) const {
    return change(sequence, email, Execution::State::running);
}

Answer<Execution> Executions::change(const std::string& sequence, std::string_view email,
                                     Execution::State state) const {
    const auto address = TRY(people::canonical_of(email));
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Execution> {
        auto seen = TRY(look(address, sequence));
        if (!seen.is_inside()) return not_inside(address, sequence);
        if (!seen.is_ours()) {
            return Refusal::conflict(
                "not_ours", "another program takes " + address + " through sequence " + sequence);
        }
        auto& execution = *seen.ours;
        if (execution.state == state) return execution;
        execution.state = state;
        schedule::Transaction together;
        if (state == Execution::State::paused) {
            execution.job_due = {};
            rows_.save(together, execution);
        } else {
            save_with_job(together, execution, books_.clock.now());
        }
        TRY(books_.commit(together));
        return execution;
    });
}

Result<bool> Executions::is_known_to_others(const Execution& execution) const {
    const auto row = TRY(
        books_.get(books_.tables.audience, persons_row_key(execution.address, execution.sequence)));
    return row && arn_of(*row) == execution.id;
}

void Executions::rest_on(schedule::Transaction& together, const Execution& execution) const {
    together.check(books_.tables.audience, persons_row_key(execution.address, execution.sequence))
        .when("executionArn", execution.id);
}

Result<> Executions::add_end(schedule::Transaction& together, const Execution& execution,
                             std::string_view ending, std::string_view reason,
                             std::string_view by) const {
    auto seen = TRY(look(execution.address, execution.sequence));
    seen.ours = execution;
    // Rows of whoever came in after it are not its own.
    if (seen.persons && arn_of(*seen.persons) != execution.id) seen.persons.reset();
    if (seen.sequences && arn_of(*seen.sequences) != execution.id) seen.sequences.reset();
    erase(together, seen);
    keep_past(together, {execution.address, execution.sequence, execution.id, std::string(ending),
                         std::string(reason), execution.standing.at, std::string(by),
                         execution.sequence_version, execution.started, books_.clock.now()});
    return Ok{};
}

}  // namespace mailroom::campaigns
