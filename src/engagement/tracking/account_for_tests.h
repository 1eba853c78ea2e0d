// An account that remembers what it was told.
#pragma once

#include "engagement/events/account.h"

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mailroom::engagement {

// Thread-safe.
class AccountForTests final : public Account {
public:
    Answer<Noted> note(std::span<const Happening> told) override {
        const std::lock_guard lock(mutex_);
        ++calls;
        Noted noted;
        for (const auto& happening : told) {
            if (broken) return Refusal(Refusal::Kind::unavailable, "the store is down");
            if (happening.mail_id == wrong_mail) {
                return Refusal(Refusal::Kind::invalid, "no such person");
            }
            if (known_.insert(happening.id).second) {
                happenings.push_back(happening);
                ++noted.added;
            } else {
                ++noted.known;
            }
        }
        return noted;
    }
    Result<std::optional<FollowedMail>> find_mail(const std::string& mail_id) override {
        const std::lock_guard lock(mutex_);
        const auto found = mails.find(mail_id);
        return found == mails.end() ? std::optional<FollowedMail>() : found->second;
    }
    Result<std::optional<FollowedMail>> find_by_message_id(std::string_view) override {
        return std::optional<FollowedMail>();
    }
    void tell(Witness&) override {}

    void know(const std::string& mail_id, const std::string& email, std::optional<Time> sent = {}) {
        FollowedMail mail;
        mail.id = mail_id;
        mail.email = email;
        mail.sent = sent;
        mails[mail_id] = std::move(mail);
    }

    std::map<std::string, FollowedMail> mails;
    std::vector<Happening> happenings;
    std::string wrong_mail = "none";
    bool broken = false;
    int calls = 0;

private:
    std::mutex mutex_;
    std::set<std::string> known_;
};

}  // namespace mailroom::engagement
