// Makes a message fit the person who gets it: a picture that tells when it is opened, links that
// lead past us, and how to unsubscribe. Who does it is a program further up.
#pragma once

#include "base/result.h"
#include "mime/build/message.h"
#include "outbox/mail/engagement.h"

#include <string>
#include <string_view>

namespace mailroom::outbox {

// Thread-safe and quick: it is called while a mail is being accepted. It may read a row, where the
// store is this process's own.
class Tailor {
public:
    virtual ~Tailor() = default;
    // After its texts are there and before it is built, of every mail that has an Engagement; again
    // if the message is made again. `recipient` is the only one of a mail for which
    // engagement.is_personal() holds; of another it is empty. What fails makes the mail unfit to be
    // sent: `message` says why.
    virtual Result<> fit(mime::Message& message, const Engagement& engagement,
                         const std::string& mail_id, std::string_view recipient) = 0;
};

}  // namespace mailroom::outbox
