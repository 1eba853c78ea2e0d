#include "people/consent/consent_routes.h"

#include "people/canonical.h"
#include "people/import/importer.h"
#include "people/people_routes.h"
#include "program/action.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

using program::Actor;
using program::Taken;
using table::asked;
using table::PageWish;
using table::required;
using table::shown;
using table::shown_if_any;
using table::Slice;

// What speaks for it, as a request says it.
struct GivenEvidence {
    std::string source = "api", ip, form, wording;

    static constexpr auto fields =
        std::tuple{asked("source", &GivenEvidence::source, "api, form, link, import, …: a word."),
                   asked("ip", &GivenEvidence::ip, "The address of whoever did it."),
                   asked("form", &GivenEvidence::form, "The page or form: its address or name."),
                   asked("wording", &GivenEvidence::wording, "What it said there.")};
    Evidence by(const Actor& who) const { return {source, ip, form, wording, who.name}; }
};

struct TopicShown {
    std::string id, name, description;
    std::optional<TopicState> state;
    bool wanted = false, double_opt_in = false;

    static constexpr std::string_view record_name = "TopicPreference";
    static constexpr auto fields =
        std::tuple{shown("id", &TopicShown::id),
                   shown("name", &TopicShown::name),
                   shown("description", &TopicShown::description),
                   shown("state", &TopicShown::state, "Null: nothing was said of it."),
                   shown("wanted", &TopicShown::wanted, "Whether mail about it goes to them."),
                   shown("double_opt_in", &TopicShown::double_opt_in)};
};

struct PreferencesShown {
    std::string email;
    bool unsubscribed = false, suppressed = false, may_track = true;
    std::string zone, language;
    std::vector<TopicShown> topics;

    static constexpr std::string_view record_name = "Preferences";
    static constexpr auto fields = std::tuple{
        shown("email", &PreferencesShown::email),
        shown("unsubscribed", &PreferencesShown::unsubscribed, "No bulk mail."),
        shown("suppressed", &PreferencesShown::suppressed, "No mail at all."),
        shown("tracking", &PreferencesShown::may_track, "Whether opens and clicks may be counted."),
        shown_if_any("time_zone", &PreferencesShown::zone),
        shown_if_any("language", &PreferencesShown::language),
        shown("topics", &PreferencesShown::topics)};
};

PreferencesShown show(Choices choices) {
    const auto& profile = choices.profile;
    PreferencesShown all{profile.email,
                         profile.unsubscribed,
                         profile.suppressed,
                         profile.may_track,
                         profile.zone,
                         profile.language,
                         {}};
    for (const auto& choice : choices.topics) {
        const auto text = choice.topic.details.text_in(profile.language);
        all.topics.push_back({choice.topic.id, text.name, text.description, choice.state,
                              choice.is_wanted(), choice.topic.details.double_opt_in});
    }
    return all;
}

struct ByEmail {
    std::string email;
    static constexpr auto fields = std::tuple{required("email", &ByEmail::email)};
};
struct ByTopic {
    std::string email, topic;
    static constexpr auto fields =
        std::tuple{required("email", &ByTopic::email), required("topic", &ByTopic::topic)};
};
struct NewState {
    std::string email, topic;
    TopicState state = TopicState::in;
    GivenEvidence evidence;

    static constexpr auto fields = std::tuple{
        required("email", &NewState::email), required("topic", &NewState::topic),
        required("state", &NewState::state, "in or out."), table::part(&NewState::evidence)};
    static void check(const NewState& in, table::Reading& reading) {
        if (in.state == TopicState::pending) reading.wrong_member("state", "must be in or out");
    }
};
struct NewOptIn {
    std::string email;
    std::vector<std::string> topics;
    bool double_opt_in = false;
    std::string first_name, language;
    GivenEvidence evidence;

    static constexpr auto fields =
        std::tuple{required("email", &NewOptIn::email),
                   asked("topics", &NewOptIn::topics, "Their ids; none: mail as such."),
                   asked("double_opt_in", &NewOptIn::double_opt_in,
                         "Everything is to be confirmed, not only the topics that say so."),
                   asked("firstName", &NewOptIn::first_name),
                   asked("language", &NewOptIn::language, "Of the mail, too."),
                   table::part(&NewOptIn::evidence)};
};
struct OptInAnswer {
    std::vector<std::string> in, pending;
    bool mail_sent = false;
    std::string token;

    static constexpr std::string_view record_name = "OptIn";
    static constexpr auto fields = std::tuple{
        shown("in", &OptInAnswer::in, "Topics that they get from now on."),
        shown("pending", &OptInAnswer::pending, "Topics that are to be confirmed."),
        shown("mail_sent", &OptInAnswer::mail_sent, "Whether we asked them by a mail."),
        shown_if_any("confirm_token", &OptInAnswer::token,
                     "Where we do not: the link of your mail is /confirm/TOKEN. Only they may get "
                     "it.")};
};

Answer<OptInAnswer> opt_in(const Preferences& preferences, const NewOptIn& in, const Actor& who) {
    Change besides;
    besides.evidence = in.evidence.by(who);
    if (!in.first_name.empty()) besides.first_name = in.first_name;
    if (!in.language.empty()) besides.language = in.language;
    besides.source = in.evidence.source;
    using Confirm = Preferences::Confirm;
    const auto confirm = in.double_opt_in ? Confirm::everything : Confirm::as_topics_say;
    auto found = TRY(preferences.opt_in(in.email, in.topics, confirm, besides));
    OptInAnswer answer{std::move(found.in), std::move(found.pending), false, ""};
    answer.mail_sent = found.token && preferences.writes_mails();
    if (found.token && !answer.mail_sent) answer.token = *found.token;
    return answer;
}

// With the evidence for somebody whom a file brought, which stands with the file.
Answer<Slice<ConsentEntry>> trail_of(const std::string& email, const PageWish& page,
                                     const People& people, const Importer& importer) {
    const auto canonical = canonical_of(email);
    if (!canonical) return BadField{"email", "is no e-mail address: " + canonical.error().message};
    auto entries = TRY(people.books().trail.of(*canonical, page));
    const auto profile = TRY(people.find(*canonical));
    constexpr std::string_view from_import = "import:";
    if (page.after || !profile || !profile->source.starts_with(from_import)) return entries;
    const auto import = importer.require(profile->source.substr(from_import.size()));
    if (!import) return entries;
    ConsentEntry entry{"mail", "", "in", import->evidence, profile->created.value_or(Time())};
    entries.items.insert(entries.items.begin(), std::move(entry));
    return entries;
}

void add_state_routes(program::Api& api, const Preferences& preferences) {
    api.put("/v1/people/{email}/topics/{topic}",
            {.name = "set_topic",
             .scope = scope::write,
             .summary = "Say for somebody whether they want a topic",
             .more = "Counts at once, also where a topic is to be confirmed: you answer for it. To "
                     "ask them, opt them in.",
             .once = program::Once::yes,
             .refuses = {Refusal::Kind::not_found}},
            [&preferences](const NewState& in, const Actor& who) -> Answer<PreferencesShown> {
                TRY(preferences.set_topic(in.email, in.topic, in.state, in.evidence.by(who)));
                return show(TRY(preferences.of(in.email)));
            });
    api.remove(
        "/v1/people/{email}/topics/{topic}",
        {.name = "forget_topic",
         .scope = scope::write,
         .summary = "Forget what somebody said of a topic"},
        [&preferences](const ByTopic& in, const Actor& who) -> Answer<PreferencesShown> {
            TRY(preferences.set_topic(in.email, in.topic, std::nullopt, GivenEvidence().by(who)));
            return show(TRY(preferences.of(in.email)));
        });
}

}  // namespace

void add_consent_routes(program::Api& api, const Preferences& preferences, const People& people,
                        const Importer& importer) {
    api.group("Consent", "What people agreed to, and what speaks for it.");
    api.get("/v1/people/{email}/preferences",
            {.name = "show_preferences",
             .scope = scope::read,
             .summary = "Show what somebody wants to get",
             .agents = program::Agents::may},
            [&preferences](const ByEmail& in, const Actor&) -> Answer<PreferencesShown> {
                return show(TRY(preferences.of(in.email)));
            });
    add_state_routes(api, preferences);
    api.post("/v1/people/{email}/opt-in",
             {.name = "opt_in",
              .scope = scope::write,
              .summary = "Opt somebody in, as they asked for",
              .more = "What is to be confirmed is pending until they follow the link of a mail and "
                      "press its button; until then nothing of it goes to them.",
              .once = program::Once::yes,
              .refuses = {Refusal::Kind::too_many}},
             [&preferences](const NewOptIn& in, const Actor& who) {
                 return opt_in(preferences, in, who);
             });
    api.list("/v1/people/{email}/consent",
             {.name = "list_consent",
              .scope = scope::read,
              .summary = "List what somebody agreed to and took back, the oldest first",
              .agents = program::Agents::may},
             [&people, &importer](const ByEmail& in, const PageWish& page, const Actor&) {
                 return trail_of(in.email, page, people, importer);
             });
}

}  // namespace mailroom::people
