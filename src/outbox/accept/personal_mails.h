// The mails to one person, for those who ask for them and for those who want to be forgotten.
//
// Nobody finds mails by an address, so a job looks at all of them when somebody is erased: what
// still waits is cancelled; of what is settled the message and the request go, and in its rows the
// hash of the address takes the place of the address. What is in motion is looked at again until it
// is settled. Of a mail to several people the message stays, for the others, until its time is
// over.
//   job of the queue   key: the hash of both   person S (canonical)   until N (ms)
#pragma once

#include "outbox/accept/outbox.h"
#include "people/lifecycle/personal_data.h"
#include "schedule/crew.h"

#include <string>
#include <string_view>

namespace mailroom::outbox {

inline constexpr std::string_view forgetting_queue = "outbox.forgetting";

// Thread-safe.
class PersonalMails final : public people::PersonalData {
public:
    // All must outlive this object.
    PersonalMails(Outbox& outbox, Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule,
                  const Clock& clock)
        : outbox_(outbox), ledger_(ledger), blobs_(blobs), schedule_(schedule), clock_(clock) {}

    std::string_view name() const override { return "mails"; }
    // Each with its message, if it is to nobody else. Looks at all mails.
    Result<> show(const std::string& person, json::Writer& writer) override;
    // They were to that address: they stay.
    Result<> move(const std::string&, const std::string&) override { return Ok{}; }
    // It is certain when this returns, and done a little later.
    Result<> erase(const std::string& person) override;
    Result<> erase_until(const std::string& person, Time until) override;

    // Jobs of forgetting_queue.
    void run(schedule::JobInHand job);

private:
    template <class Visit>
    Result<> each_mail(const std::string& person, const Visit& visit);
    Result<> settle(schedule::Job& job);
    // Whether nothing of it is left to be done.
    Result<bool> forget(Mail mail, const std::string& person);
    Result<bool> rename(const Mail& mail, const std::string& person);
    Result<> erase_blobs(const Mail& mail);
    Result<> show_mail(const Mail& mail, const std::string& person, json::Writer& writer);

    Outbox& outbox_;
    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
};

}  // namespace mailroom::outbox
