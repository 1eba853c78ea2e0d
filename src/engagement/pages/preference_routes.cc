#include "engagement/pages/preference_routes.h"

#include "engagement/pages/form.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::engagement {

namespace {

using program::Asked;
using program::Rendered;

people::Evidence evidence(const Asked& asked, std::string_view source, std::string_view form,
                          std::string_view wording) {
    return {.source = std::string(source),
            .ip = std::string(asked.peer),
            .form = std::string(form),
            .wording = std::string(wording),
            .by = ""};
}

bool has(const program::Pairs& form, std::string_view name, std::string_view value) {
    return std::ranges::any_of(
        form, [&](const auto& pair) { return pair.first == name && pair.second == value; });
}

class Chooser {
public:
    Chooser(const Reception& reception, const people::Preferences& preferences, Leaving& leaving)
        : reception_(reception), preferences_(preferences), leaving_(leaving) {}

    Rendered show(const Asked& asked) const {
        auto came = reception_.welcome(asked);
        if (auto* wrong = std::get_if<Rendered>(&came)) return std::move(*wrong);
        return page(asked, std::get<Visitor>(came), {});
    }

    Rendered act(const Asked& asked) const {
        auto came = reception_.welcome(asked);
        if (auto* wrong = std::get_if<Rendered>(&came)) return std::move(*wrong);
        const auto& visitor = std::get<Visitor>(came);
        const auto choices = preferences_.of(visitor.person.address);
        if (!choices) return reception_.trouble(asked, choices.error());
        const auto form = read_form(asked.body);
        const auto wishes = wishes_of(form, *choices);
        const auto shown = evidence(asked, "preferences", "preferences",
                                    visitor.text(visitor.texts().choose_text));
        // With the event of it, if that is what they want now.
        if (wishes.unsubscribed == true) {
            const auto left =
                leaving_.leave({visitor.person.mail_id, "", visitor.person.address}, shown);
            if (!left) return reception_.trouble(asked, left.error());
        }
        const auto chosen = preferences_.choose(visitor.person.address, wishes, shown);
        if (!chosen) return reception_.trouble(asked, chosen.error());
        PageBody notices;
        notices.notice(visitor.texts().saved);
        if (!chosen->empty()) notices.notice(visitor.texts().to_confirm);
        return page(asked, visitor, notices);
    }

private:
    // What the form shows it decides; the rest stays.
    static people::Wishes wishes_of(const program::Pairs& form, const people::Choices& choices) {
        people::Wishes wishes;
        for (const auto& choice : choices.topics) {
            const bool is_checked = has(form, "topic", choice.topic.id);
            if (is_checked != choice.is_wanted()) wishes.topics[choice.topic.id] = is_checked;
        }
        const bool is_off = has(form, "off", "1"), may_track = !has(form, "no_tracking", "1");
        if (is_off != choices.profile.unsubscribed) wishes.unsubscribed = is_off;
        if (may_track != choices.profile.may_track) wishes.may_track = may_track;
        return wishes;
    }

    Rendered page(const Asked& asked, const Visitor& visitor, const PageBody& notices) const {
        const auto choices = preferences_.of(visitor.person.address);
        if (!choices) return reception_.trouble(asked, choices.error());
        const auto& texts = visitor.texts();
        PageBody body = notices;
        body.paragraph(visitor.text(texts.choose_text)).open_form();
        for (const auto& choice : choices->topics) {
            const auto text = choice.topic.details.text_in(name_of(visitor.language));
            body.check_box("topic", choice.topic.id, text.name, text.description,
                           choice.is_wanted());
        }
        body.check_box("off", "1", texts.all_off, "", choices->profile.unsubscribed);
        body.check_box("no_tracking", "1", texts.no_tracking, "", !choices->profile.may_track);
        body.button("save", texts.save).close_form();
        return reception_.show(visitor, texts.choose, body);
    }

    const Reception& reception_;
    const people::Preferences& preferences_;
    Leaving& leaving_;
};

class Confirmer {
public:
    Confirmer(const Reception& reception, const people::Preferences& preferences)
        : reception_(reception), preferences_(preferences) {}

    Rendered show(const Asked& asked) const {
        const auto wanted = preferences_.asked_by(token_of(asked));
        if (!wanted) return reception_.trouble(asked, wanted.error());
        const auto visitor = visitor_of(asked, *wanted);
        const auto& texts = visitor.texts();
        if (wanted->confirmed) return thank(visitor);
        PageBody body;
        body.paragraph(visitor.text(texts.confirm_text));
        add_topics(body, *wanted, visitor.language);
        body.open_form().button("confirm", texts.confirm_button).close_form();
        return reception_.show(visitor, texts.confirm, body);
    }

    Rendered act(const Asked& asked) const {
        const auto token = token_of(asked);
        const auto wanted = preferences_.asked_by(token);
        if (!wanted) return reception_.trouble(asked, wanted.error());
        const auto visitor = visitor_of(asked, *wanted);
        const auto confirmed = preferences_.confirm(
            token, evidence(asked, "form", "confirm", visitor.text(visitor.texts().confirm_text)));
        if (!confirmed) return reception_.trouble(asked, confirmed.error());
        return thank(visitor);
    }

private:
    Visitor visitor_of(const Asked& asked, const people::PendingOptIn& wanted) const {
        return {{"", "", wanted.email}, reception_.language_of(asked), ""};
    }

    void add_topics(PageBody& body, const people::PendingOptIn& wanted, Language language) const {
        for (const auto& id : wanted.topics) {
            const auto topic = preferences_.topics().find(id);
            const bool is_known = topic && *topic;
            body.item(is_known ? (*topic)->details.text_in(name_of(language)).name : id);
        }
    }

    Rendered thank(const Visitor& visitor) const {
        PageBody body;
        body.notice(visitor.text(visitor.texts().confirmed_text));
        return reception_.show(visitor, visitor.texts().confirmed, body);
    }

    const Reception& reception_;
    const people::Preferences& preferences_;
};

}  // namespace

void add_preference_routes(program::Api& api, const Reception& reception,
                           const people::Preferences& preferences, Leaving& leaving) {
    const Chooser chooser(reception, preferences, leaving);
    add_page(
        api,
        {.path = "/preferences/{token}",
         .show_name = "preferences_page",
         .act_name = "choose_preferences",
         .show_summary = "A page that shows what somebody gets",
         .act_summary = "Change what somebody gets",
         .act_more = "By the form of the page: the topics that are wanted, no bulk mail at "
                     "all, no tracking."},
        [chooser](const Asked& asked) { return chooser.show(asked); },
        [chooser](const Asked& asked) { return chooser.act(asked); });
}

void add_confirmation_routes(program::Api& api, const Reception& reception,
                             const people::Preferences& preferences) {
    const Confirmer confirmer(reception, preferences);
    add_page(
        api,
        {.path = "/confirm/{token}",
         .show_name = "ask_to_confirm",
         .act_name = "confirm_opt_in",
         .show_summary = "A page that asks whether mail is wanted",
         .act_summary = "Say that it is",
         .act_more = "The second half of a double opt-in. The same again changes nothing."},
        [confirmer](const Asked& asked) { return confirmer.show(asked); },
        [confirmer](const Asked& asked) { return confirmer.act(asked); });
}

}  // namespace mailroom::engagement
