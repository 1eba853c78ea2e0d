// Mails whose message another program made: to whom they go stands in the message only.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "outbox/blobs/blobs.h"
#include "outbox/mail/ledger.h"
#include "schedule/job.h"
#include "schedule/transaction.h"

#include <chrono>
#include <string>

namespace mailroom::outbox {

// Whether `mail` has a message of which nobody has read yet to whom it goes.
inline bool lacks_envelope(const Mail& mail) {
    return mail.recipients.empty() && !mail.eml_path.empty();
}

// Reads sender and recipients, and a Message-ID, which messages of the seed lack, into `change`. Of
// a mail that nobody is sending the message becomes one of ours. False if there is no such message
// now; `invalid` if no mail can be made of it; else it may pass.
Result<bool> read_envelope(Blobs& blobs, schedule::Transaction& together, const Mail& mail,
                           const Clock& clock, Random& random, Change& change);

struct AdoptionOptions {
    // A file that another program is to have written may be not to be seen for so long: see
    // FetchingOptions.
    std::chrono::seconds shared_file_after = std::chrono::seconds(90);
    std::chrono::seconds file_pause = std::chrono::seconds(15);
    std::chrono::seconds pause = std::chrono::minutes(1);  // After what may pass.
};

// For the jobs of such mails. Thread-safe.
class Adoption {
public:
    // All must outlive this object.
    Adoption(Ledger& ledger, Blobs& blobs, const Clock& clock, Random& random,
             AdoptionOptions options = {})
        : ledger_(ledger), blobs_(blobs), clock_(clock), random_(random), options_(options) {}

    struct Step {
        schedule::Transaction together;
        std::string refusal = {};  // Instead: it can never be sent, and why.
    };
    // What is to be written: its recipients, and its job comes again at once; or it comes again
    // later. A mail that is PROCESSING and whose message cannot be read now is held: whoever was
    // sending it may have sent it. lacks_envelope(mail) must hold.
    Step next(schedule::Job& job, Mail& mail) const;

private:
    void come_again(Step& step, schedule::Job& job, Mail& mail, Time due, table::Item data,
                    Change change) const;
    void hold(Step& step, schedule::Job& job, Mail& mail, const std::string& why) const;

    Ledger& ledger_;
    Blobs& blobs_;
    const Clock& clock_;
    Random& random_;
    const AdoptionOptions options_;
};

}  // namespace mailroom::outbox
