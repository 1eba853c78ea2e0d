#include "people/consent/preferences.h"

#include "base/text.h"
#include "people/canonical.h"
#include "program/commit.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

Answer<std::string> canonical_email(std::string_view email) {
    auto canonical = canonical_of(email);
    if (!canonical) {
        return BadField{"email", "is no e-mail address: " + canonical.error().message};
    }
    return *std::move(canonical);
}

bool says_something(const Change& change) {
    return change.first_name || !change.attributes.empty() || !change.topics.empty() ||
           change.unsubscribed || change.may_track || change.zone || change.language;
}

std::optional<TopicState> state_in(const std::optional<Profile>& profile, const std::string& id) {
    if (!profile) return std::nullopt;
    const auto found = profile->topics.find(id);
    return found == profile->topics.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Preferences::Preferences(People& people, const TopicCatalog& topics,
                         const Confirmations& confirmations, schedule::Schedule& schedule)
    : people_(people), topics_(topics), confirmations_(confirmations), schedule_(schedule) {}

// Who is not known may have said no to a topic all the same.
Result<Profile> Preferences::nobody_yet(const std::string& canonical) const {
    Profile profile;
    profile.canonical = profile.email = canonical;
    for (const auto& said : TRY(people_.suppressions().find(canonical))) {
        if (!said.topic().empty()) profile.topics[said.topic()] = TopicState::out;
    }
    return profile;
}

Answer<Choices> Preferences::of(std::string_view email) const {
    const auto canonical = TRY(canonical_email(email));
    const auto found = TRY(people_.find(canonical));
    Choices choices;
    choices.is_known = found.has_value();
    choices.profile = found.value_or(Profile());
    if (!found) choices.profile = TRY(nobody_yet(canonical));
    for (auto& topic : TRY(topics_.all())) {
        const auto state = state_in(choices.profile, topic.id);
        if (topic.details.hidden && !state) continue;
        choices.topics.push_back({std::move(topic), state});
    }
    return choices;
}

Answer<std::vector<std::string>> Preferences::choose(std::string_view email, const Wishes& wishes,
                                                     const Evidence& evidence) const {
    const auto canonical = TRY(canonical_email(email));
    const auto choices = TRY(of(canonical));
    Change change;
    change.unsubscribed = wishes.unsubscribed;
    change.may_track = wishes.may_track;
    change.zone = wishes.zone;
    change.language = wishes.language;
    change.evidence = evidence;
    std::vector<std::string> to_confirm;
    for (const auto& [topic, state] : choices.topics) {
        const auto wish = wishes.topics.find(topic.id);
        if (wish == wishes.topics.end()) continue;
        const bool is_in = state == TopicState::in;
        const bool must_confirm = wish->second && !is_in && topic.details.double_opt_in;
        if (must_confirm) to_confirm.push_back(topic.id);
        if (!must_confirm)
            change.topics[topic.id] = wish->second ? TopicState::in : TopicState::out;
    }
    if (says_something(change)) TRY(people_.change(canonical, change));
    Change besides;
    besides.evidence = evidence;
    if (!to_confirm.empty()) TRY(opt_in(canonical, to_confirm, Confirm::as_topics_say, besides));
    return to_confirm;
}

Answer<Profile> Preferences::set_topic(std::string_view email, const std::string& topic,
                                       std::optional<TopicState> state,
                                       const Evidence& evidence) const {
    const auto canonical = TRY(canonical_email(email));
    // What is no topic any more can be forgotten.
    if (state) TRY(topics_.require(topic));
    Change change;
    change.topics[topic] = state;
    change.evidence = evidence;
    return people_.change(canonical, change);
}

Answer<std::vector<Topic>> Preferences::require_topics(const std::vector<std::string>& ids) const {
    std::vector<Topic> found;
    std::vector<BadField> wrong;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool is_twice = std::ranges::find(ids.begin(), ids.begin() + static_cast<long>(i),
                                                ids[i]) != ids.begin() + static_cast<long>(i);
        if (is_twice) continue;
        auto topic = TRY(topics_.find(ids[i]));
        if (topic) {
            found.push_back(*std::move(topic));
        } else {
            wrong.push_back({"topics[" + std::to_string(i) + "]", "is no topic"});
        }
    }
    if (!wrong.empty()) return Refusal(std::move(wrong));
    return found;
}

Answer<Preferences::Asked> Preferences::opt_in(std::string_view email,
                                               const std::vector<std::string>& topics,
                                               Confirm confirm, const Change& besides) const {
    const auto canonical = TRY(canonical_email(email));
    const auto found = TRY(require_topics(topics));
    return settled(people_.books().store.pauses(race_pauses),
                   [&] { return opt_in_once(canonical, trim(email), found, confirm, besides); });
}

Answer<Preferences::Asked> Preferences::opt_in_once(const std::string& canonical,
                                                    std::string_view email,
                                                    const std::vector<Topic>& topics,
                                                    Confirm confirm, const Change& besides) const {
    const auto before = TRY(people_.find(canonical));
    Change change = besides;
    if (!before) change.given = email;
    Asked asked;
    ToConfirm to_confirm;
    for (const auto& topic : topics) {
        if (state_in(before, topic.id) == TopicState::in) {
            asked.in.push_back(topic.id);
        } else if (confirm == Confirm::everything || topic.details.double_opt_in) {
            asked.pending.push_back(topic.id);
            to_confirm.topics.push_back(topic);
            change.topics[topic.id] = TopicState::pending;
        } else {
            asked.in.push_back(topic.id);
            change.topics[topic.id] = TopicState::in;
        }
    }
    const bool confirms_mail = topics.empty() && confirm == Confirm::everything;
    const bool is_asked = confirms_mail || !asked.pending.empty();
    // Who opts into anything at once wants mail; whose address nobody confirmed gets none.
    if (is_asked && !before) {
        change.unsubscribed = true;
        change.reason = "not confirmed yet";
    }
    if (!is_asked && before && before->unsubscribed) change.unsubscribed = false;
    schedule::Transaction transaction;
    if (is_asked) {
        PendingOptIn pending;
        pending.email = canonical;
        pending.topics = asked.pending;
        pending.asked = besides.evidence;
        asked.token = TRY(confirmations_.add_to(transaction, std::move(pending)));
    }
    if (!before || says_something(change)) {
        TRY(people_.add_to(transaction, canonical, before, change));
    }
    if (is_asked && mails_ != nullptr) {
        to_confirm.token = *asked.token;
        to_confirm.profile = before.value_or(Profile());
        to_confirm.profile.email = to_confirm.profile.canonical = canonical;
        if (change.language) to_confirm.profile.language = *change.language;
        if (change.first_name) to_confirm.profile.first_name = *change.first_name;
        TRY(mails_->add_to(transaction, to_confirm));
    }
    if (!transaction.empty()) TRY(program::commit(schedule_, transaction));
    return asked;
}

Answer<PendingOptIn> Preferences::asked_by(std::string_view token) const {
    auto pending = TRY(confirmations_.find(token));
    if (!pending) {
        return Refusal(Refusal::Kind::gone, "this link is not valid any more: ask for a new one");
    }
    return *std::move(pending);
}

Answer<PendingOptIn> Preferences::confirm(std::string_view token, const Evidence& evidence) const {
    return settled(people_.books().store.pauses(race_pauses), [&]() -> Answer<PendingOptIn> {
        auto pending = TRY(asked_by(token));
        if (pending.confirmed) return pending;
        TRY(confirm_once(token, pending, evidence));
        pending.confirmed = people_.books().clock.now();
        return pending;
    });
}

Answer<> Preferences::confirm_once(std::string_view token, const PendingOptIn& pending,
                                   const Evidence& evidence) const {
    const auto before = TRY(people_.find(pending.email));
    Change change;
    for (const auto& id : pending.topics) change.topics[id] = TopicState::in;
    if (!before) change.source = "link";
    if (before && before->unsubscribed) change.unsubscribed = false;
    change.evidence = evidence;
    schedule::Transaction transaction;
    confirmations_.confirm(transaction, token);
    if (!before || says_something(change)) {
        TRY(people_.add_to(transaction, pending.email, before, change));
    }
    return program::commit(schedule_, transaction);
}

}  // namespace mailroom::people
