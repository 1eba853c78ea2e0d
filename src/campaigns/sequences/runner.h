// Takes people on in their sequences, each when it is due.
#pragma once

#include "campaigns/sequences/executions.h"
#include "campaigns/sequences/person_facts.h"
#include "schedule/crew.h"

#include <memory>
#include <string>

namespace mailroom::campaigns {

// How the mails of sequences are made and go out.
class SequenceMails {
public:
    virtual ~SequenceMails() = default;

    struct Mail {
        const Definition& definition;
        const SendMail& step;
        const Journey& journey;
        const Known& known;
    };
    // Puts the mail into the transaction, under the step's send key. What is refused is tried again
    // as after_failure() says.
    virtual Answer<> add_to(schedule::Transaction& together, const Mail& mail) = 0;
    // Whether there is a mail with that key already.
    virtual Result<bool> has(const std::string& send_key) = 0;
};

// Each turn of somebody is one transaction: what is done, where they are after it, and their job.
// Thread-safe.
class SequenceRunner {
public:
    // All must outlive this object.
    SequenceRunner(const Books& books, const Sequences& sequences, const Executions& executions,
                   people::People& people, SequenceMails& mails);

    // Jobs of sequence_queue. One that cannot be done for now is found again after a pause.
    void run(schedule::Job& job) const;

private:
    class Turn;

    const Books& books_;
    const Sequences& sequences_;
    const Executions& executions_;
    people::People& people_;
    SequenceMails& mails_;
    const std::unique_ptr<const liquid::TimeZones> zones_ =
        std::make_unique<const liquid::TimeZones>();
};

}  // namespace mailroom::campaigns
