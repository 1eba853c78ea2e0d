// What somebody wants to get: shown to them, and changed by them or for them, with the evidence for
// it.
#pragma once

#include "base/refusal.h"
#include "people/consent/confirmations.h"
#include "people/consent/evidence.h"
#include "people/consent/topics.h"
#include "people/people.h"
#include "schedule/schedule.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct TopicChoice {
    Topic topic;
    std::optional<TopicState> state;  // None: nothing was said of it.

    // Whether they get it: unless they said no; where it is to be confirmed, only if they did.
    bool is_wanted() const {
        return state ? *state == TopicState::in : !topic.details.double_opt_in;
    }
};

struct Choices {
    Profile profile;  // Of somebody who is not known yet: with the address alone.
    bool is_known = false;
    std::vector<TopicChoice>
        topics;  // Those that people see, and what else they said something of.
};

// What is not said stays.
struct Wishes {
    std::map<std::string, bool> topics;  // By id; of one that is to be confirmed: true asks for it.
    std::optional<bool> unsubscribed, may_track;
    std::optional<std::string> zone, language;
};

// Somebody is to be asked, by a mail, whether they want it.
struct ToConfirm {
    std::string token;  // Of the link: whoever has it can say yes.
    Profile profile;
    std::vector<Topic> topics;  // None: mail as such.
};

// Writes that mail. Thread-safe.
class ConfirmationMails {
public:
    virtual ~ConfirmationMails() = default;
    // Adds it to the transaction that makes the token good.
    virtual Answer<> add_to(schedule::Transaction& transaction, const ToConfirm& to_confirm) = 0;
};

// Thread-safe.
class Preferences {
public:
    // All must outlive this object.
    Preferences(People& people, const TopicCatalog& topics, const Confirmations& confirmations,
                schedule::Schedule& schedule);

    // Before anything is asked; must outlive this object. Without, no mail is written: whoever asks
    // gets the token and sees to it.
    void mail_by(ConfirmationMails& mails) { mails_ = &mails; }
    bool writes_mails() const { return mails_ != nullptr; }

    Answer<Choices> of(std::string_view email) const;
    // By the person: a topic that is to be confirmed is not `in` by this alone, unless it was. The
    // topics that they must confirm now.
    Answer<std::vector<std::string>> choose(std::string_view email, const Wishes& wishes,
                                            const Evidence& evidence) const;

    // What is said for somebody, as somebody says who knows: counts at once. None: as if nothing
    // had been said.
    Answer<Profile> set_topic(std::string_view email, const std::string& topic,
                              std::optional<TopicState> state, const Evidence& evidence) const;

    struct Asked {
        std::vector<std::string> in,
            pending;                       // Topics: what counts at once, what is to be confirmed.
        std::optional<std::string> token;  // If something is.
    };
    // Opts somebody in, into mail as such if no topics are named. What is to be confirmed (those
    // topics that say so; everything, if it is asked for) becomes pending, and is asked for by a
    // mail. `too_many` if enough such mails wait for an answer.
    enum class Confirm { as_topics_say, everything };
    Answer<Asked> opt_in(std::string_view email, const std::vector<std::string>& topics,
                         Confirm confirm, const Change& besides) const;

    // What a link asks for; `gone` if the token is none, or too old.
    Answer<PendingOptIn> asked_by(std::string_view token) const;
    // The person follows the link and says yes: once, and then again without effect.
    Answer<PendingOptIn> confirm(std::string_view token, const Evidence& evidence) const;

    const TopicCatalog& topics() const { return topics_; }

private:
    Result<Profile> nobody_yet(const std::string& canonical) const;
    Answer<std::vector<Topic>> require_topics(const std::vector<std::string>& ids) const;
    Answer<Asked> opt_in_once(const std::string& canonical, std::string_view email,
                              const std::vector<Topic>& topics, Confirm confirm,
                              const Change& besides) const;
    Answer<> confirm_once(std::string_view token, const PendingOptIn& pending,
                          const Evidence& evidence) const;

    People& people_;
    const TopicCatalog& topics_;
    const Confirmations& confirmations_;
    schedule::Schedule& schedule_;
    ConfirmationMails* mails_ = nullptr;
};

}  // namespace mailroom::people
