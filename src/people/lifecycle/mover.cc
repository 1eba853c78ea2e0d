#include "people/lifecycle/mover.h"

#include "base/log.h"
#include "base/text.h"
#include "net/sigv4.h"
#include "people/canonical.h"
#include "program/commit.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

// Whoever asked sees it through; this is for when they could not.
constexpr std::chrono::seconds unfinished_after{30};
// A transaction holds the tag rows of both.
constexpr std::size_t tags_at_once_max = 35;

Answer<std::string> canonical_email(const char* field, std::string_view email) {
    auto canonical = canonical_of(email);
    if (canonical) return *std::move(canonical);
    return BadField{field, "is no e-mail address: " + canonical.error().message};
}

std::vector<std::string> tags_of_both(const Profile& source, const std::optional<Profile>& target) {
    auto all = target ? target->tags : std::vector<std::string>();
    for (const auto& tag : source.tags) {
        if (std::ranges::find(all, tag) == all.end()) all.push_back(tag);
    }
    return all;
}

table::Item attributes_to_add(const Profile& source, const std::optional<Profile>& target) {
    std::vector<table::Field> fields;
    for (const auto field : source.attributes.view()) {
        if (!target || !target->attributes.has(field.name)) fields.push_back(field);
    }
    return table::Item::from_fields(std::move(fields));
}

// Who said no to a topic meant it.
std::map<std::string, std::optional<TopicState>> topics_to_say(
    const Profile& source, const std::optional<Profile>& target) {
    std::map<std::string, std::optional<TopicState>> said;
    for (const auto& [id, state] : source.topics) {
        const auto known = target ? target->topics.find(id) : source.topics.end();
        const bool is_known = target && known != target->topics.end();
        if (!is_known || (state == TopicState::out && known->second != state)) said[id] = state;
    }
    return said;
}

// What the target becomes by what the source was. A complaint is the person's; that mail came back
// was the address's.
Change merged(const Profile& source, const std::optional<Profile>& target, bool has_complained) {
    const auto known = target.value_or(Profile());
    Change change;
    if (known.first_name.empty() && !source.first_name.empty()) {
        change.first_name = source.first_name;
    }
    change.attributes = attributes_to_add(source, target);
    const auto tags = tags_of_both(source, target);
    if (tags.size() > known.tags.size()) change.tags = tags;
    change.topics = topics_to_say(source, target);
    if (source.unsubscribed && !known.unsubscribed) change.unsubscribed = true;
    if (has_complained && !known.suppressed) {
        change.suppressed = true;
        change.reason = "complaint";
    }
    if (!source.may_track && known.may_track) change.may_track = false;
    if (known.zone.empty() && !source.zone.empty()) change.zone = source.zone;
    if (known.language.empty() && !source.language.empty()) change.language = source.language;
    change.source = source.source;
    return change;
}

void erase_person(schedule::Transaction& transaction, const Books& books, const Profile& person) {
    auto& profile =
        transaction.erase(books.tables.audience, profile_key(person.canonical)).if_present("PK");
    for (const auto* column : {"mailroomVersion", "tags"}) {
        const auto value = person.row.find(column);
        if (value) profile.when(column, table::Value(*value));
        if (!value) profile.if_absent(column);
    }
    for (const auto& tag : person.tags) {
        transaction.erase(books.tables.audience, tag_key(tag, person.canonical));
    }
    transaction.erase(books.tables.audience, suppression_key(person.canonical));
}

}  // namespace

Mover::Mover(People& people, const PersonalParts& parts, schedule::Schedule& schedule)
    : people_(people), books_(people.books()), parts_(parts), schedule_(schedule) {}

Answer<Profile> Mover::change_address(std::string_view email, std::string_view to,
                                      const Evidence& evidence) const {
    const auto from = TRY(canonical_email("email", email));
    const auto wanted = TRY(canonical_email("to", to));
    if (from == wanted) {
        Change respelled;
        respelled.email = std::string(trim(to));
        return people_.change_known(from, respelled);
    }
    TRY(people_.require(from));
    if (TRY(people_.find(wanted))) {
        return Refusal::conflict("person_exists",
                                 "there is somebody of that address: merge them instead");
    }
    TRY(move(from, wanted, evidence));
    Change respelled;
    respelled.email = std::string(trim(to));
    return people_.change_known(wanted, respelled);
}

Answer<Profile> Mover::merge(std::string_view email, std::string_view other,
                             const Evidence& evidence) const {
    const auto to = TRY(canonical_email("email", email));
    const auto from = TRY(canonical_email("other", other));
    if (from == to) return BadField{"other", "is the same person"};
    TRY(people_.require(to));
    TRY(people_.require(from));
    return move(from, to, evidence);
}

Answer<Profile> Mover::move(const std::string& from, const std::string& to,
                            const Evidence& evidence) const {
    TRY(settled(books_.store.pauses(race_pauses), [&] { return switch_over(from, to, evidence); }));
    // What is left the job sees through.
    const auto moved = parts_.move(from, to);
    if (!moved)
        log::warn("what is known of somebody moves later", {{"why", moved.error().message}});
    return people_.require(to);
}

// More tags than fit: the target has them all before the source loses some.
Answer<> Mover::thin_out(const Profile& source, const std::string& to) const {
    const auto target = TRY(people_.find(to));
    Change tagged;
    tagged.tags = tags_of_both(source, target);
    tagged.given = to;
    TRY(people_.change(to, tagged));
    Change fewer;
    fewer.tags = std::vector<std::string>(source.tags.begin(),
                                          source.tags.begin() + std::ptrdiff_t{tags_at_once_max});
    TRY(people_.change_known(source.canonical, fewer));
    return Refusal::lost_race();
}

Answer<> Mover::switch_over(const std::string& from, const std::string& to,
                            const Evidence& evidence) const {
    const auto source = TRY(people_.require(from));
    if (source.tags.size() > tags_at_once_max || source.tags_to_come) return thin_out(source, to);
    const auto target = TRY(people_.find(to));
    const auto refused = TRY(books_.get(books_.tables.audience, suppression_key(from)));
    const bool has_complained =
        source.suppressed && refused && refused->text("reason") == "complaint";
    auto change = merged(source, target, has_complained);
    change.evidence = evidence;
    schedule::Transaction transaction;
    TRY(people_.add_to(transaction, to, target, change));
    erase_person(transaction, books_, source);
    books_.trail.add(transaction, to, {"address", from, to, evidence});
    schedule_.add(transaction, {.queue = moving_queue,
                                .key = net::sha256_hex(from + " " + to),
                                .due = books_.clock.now() + unfinished_after,
                                .data = {{"from", from}, {"to", to}}});
    return program::commit(schedule_, transaction);
}

void Mover::run(schedule::JobInHand job) const {
    const auto from = job->data().text("from"), to = job->data().text("to");
    const auto moved =
        from && to ? parts_.move(std::string(*from), std::string(*to)) : Result<>(Ok{});
    if (!moved) return;  // It is found again after a pause.
    schedule::Transaction transaction;
    job->finish(transaction);
    const auto finished = schedule_.commit(transaction);
    if (!finished) log::warn("a move is looked at again", {{"why", finished.error().message}});
}

}  // namespace mailroom::people
