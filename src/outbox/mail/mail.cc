#include "outbox/mail/mail.h"

namespace mailroom::outbox {

std::string_view name_of(Recipient::State state) {
    switch (state) {
        case Recipient::State::waiting:
            return "waiting";
        case Recipient::State::delivered:
            return "delivered";
        case Recipient::State::failed:
            return "failed";
        case Recipient::State::unknown:
            break;
    }
    return "unknown";
}

}  // namespace mailroom::outbox
