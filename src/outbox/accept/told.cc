#include "outbox/accept/told.h"

namespace mailroom::outbox {

using Told = mailroom::Refusal;

Told told(const Refusal& refusal, const std::string& prefix) {
    switch (refusal.kind) {
        case Refusal::Kind::bad_field:
            return Told::bad_field(prefix + refusal.field, refusal.message);
        case Refusal::Kind::duplicate:
            return {Told::Kind::conflict, refusal.message};
        case Refusal::Kind::full:
            return {Told::Kind::too_many, refusal.message};
        case Refusal::Kind::condition:
        case Refusal::Kind::storage:
            break;
    }
    return {Told::Kind::unavailable, refusal.message};
}

}  // namespace mailroom::outbox
