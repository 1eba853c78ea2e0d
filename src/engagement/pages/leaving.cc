#include "engagement/pages/leaving.h"

#include "base/hex.h"
#include "base/log.h"
#include "engagement/tracking/mail_tailor.h"
#include "people/canonical.h"

#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t key_bytes = 12;

bool is_so_already(const std::optional<people::Profile>& profile, const std::string& topic,
                   bool is_out) {
    if (!profile) return false;
    if (topic.empty()) return profile->unsubscribed == is_out;
    const auto found = profile->topics.find(topic);
    const auto wanted = is_out ? people::TopicState::out : people::TopicState::in;
    return found != profile->topics.end() && found->second == wanted;
}

}  // namespace

Leaving::Leaving(people::People& people, schedule::Schedule& schedule, const Clock& clock,
                 Random& random, Account& account)
    : people_(people), schedule_(schedule), clock_(clock), random_(random), account_(account) {}

Answer<bool> Leaving::leave(const PersonToken& person, const people::Evidence& evidence) {
    return change(person, evidence, Way::out);
}

Answer<bool> Leaving::come_back(const PersonToken& person, const people::Evidence& evidence) {
    return change(person, evidence, Way::in);
}

Answer<bool> Leaving::leave_by_mail(const Tokens& tokens, std::string_view subject) {
    const auto text = token_in_subject(subject);
    const auto person = text ? tokens.read_as<PersonToken>(*text) : std::nullopt;
    if (!person) return Refusal::not_found("the subject has no link of ours");
    return leave(*person, {.source = "mail", .ip = "", .form = "", .wording = "", .by = ""});
}

Answer<bool> Leaving::change(const PersonToken& person, const people::Evidence& evidence, Way way) {
    const auto canonical = TRY(people::canonical_of(person.address));
    return settled(people_.books().store.pauses(race_pauses),
                   [&] { return change_once(person, canonical, evidence, way); });
}

Answer<bool> Leaving::change_once(const PersonToken& person, const std::string& canonical,
                                  const people::Evidence& evidence, Way way) {
    const bool is_out = way == Way::out;
    const auto before = TRY(people_.find(canonical));
    if (is_so_already(before, person.topic, is_out)) return false;
    people::Change change;
    if (!before) change.email = person.address;
    if (person.topic.empty()) {
        change.unsubscribed = is_out;
    } else {
        change.topics[person.topic] = is_out ? people::TopicState::out : people::TopicState::in;
    }
    change.evidence = evidence;
    schedule::Transaction transaction;
    TRY(people_.add_to(transaction, canonical, before, change));
    if (is_out) add_job(transaction, person, canonical, evidence.source);
    const auto committed = schedule_.commit(transaction);
    if (committed) return true;
    const Error error = committed.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

void Leaving::add_job(schedule::Transaction& transaction, const PersonToken& person,
                      const std::string& canonical, const std::string& how) {
    table::Item data{{"Email", canonical}, {"How", how}};
    if (!person.mail_id.empty()) data.set("Mail", table::Value(person.mail_id));
    if (!person.topic.empty()) data.set("Topic", table::Value(person.topic));
    data.set("At", table::Value(to_unix_ms(clock_.now())));
    schedule_.add(transaction, {.queue = std::string(left_queue),
                                .key = hex_encode(random_bytes(random_, key_bytes)),
                                .due = clock_.now(),
                                .data = std::move(data)});
}

void Leaving::run(schedule::JobInHand job) {
    const auto done = tell(*job);
    if (done || Error(done.error()).code == Errc::conflict) return;
    // The job is found again after a pause.
    log::error("an unsubscribe could not be noted yet", {{"why", done.error().message}});
}

Answer<> Leaving::tell(schedule::Job& job) {
    const auto& data = job.data();
    const auto text = [&](std::string_view name) {
        return std::string(data.text(name).value_or(""));
    };
    Happening happening;
    happening.id = "left:" + std::string(job.key());
    happening.type = EventType::unsubscribe;
    happening.at = from_unix_ms(data.integer("At").value_or(0));
    happening.email = text("Email");
    happening.mail_id = text("Mail");
    happening.reason = text("How");
    const auto topic = text("Topic");
    if (!topic.empty()) happening.reason += " topic:" + topic;
    const auto noted = account_.note({&happening, 1});
    // What can never be an event ends here: the person is unsubscribed all the same.
    if (!noted && noted.error().kind != Refusal::Kind::invalid) return noted.error();
    schedule::Transaction transaction;
    job.finish(transaction);
    TRY(schedule_.commit(transaction));
    return Ok{};
}

}  // namespace mailroom::engagement
