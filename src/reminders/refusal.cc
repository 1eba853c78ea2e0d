#include "reminders/refusal.h"

namespace mailroom::reminders {

namespace {

Refusal::Kind kind_of(Errc code) {
    switch (code) {
        case Errc::invalid:
            return Refusal::Kind::bad_field;
        case Errc::not_found:
            return Refusal::Kind::not_found;
        case Errc::conflict:
            return Refusal::Kind::conflict;
        case Errc::throttled:
        case Errc::unavailable:
            return Refusal::Kind::unavailable;
        case Errc::corrupt:
            break;
    }
    return Refusal::Kind::internal;
}

std::string code_of(Refusal::Kind kind) {
    switch (kind) {
        case Refusal::Kind::bad_field:
            return "invalid";
        case Refusal::Kind::not_found:
            return "not_found";
        case Refusal::Kind::conflict:
            return "conflict";
        case Refusal::Kind::unavailable:
            return "unavailable";
        default:
            return "internal";
    }
}

}  // namespace

Refusal::Refusal(const Error& error)
    : Refusal(kind_of(error.code), code_of(kind_of(error.code)), error.message) {}

Refusal Refusal::bad_field(std::string its_field, std::string why) {
    Refusal refusal(Kind::bad_field, "invalid", std::move(why));
    refusal.field = std::move(its_field);
    return refusal;
}

Refusal Refusal::not_found(std::string its_message) {
    return {Kind::not_found, "not_found", std::move(its_message)};
}

Refusal Refusal::conflict(std::string its_code, std::string its_message) {
    return {Kind::conflict, std::move(its_code), std::move(its_message)};
}

Refusal Refusal::by_rule(const Decision& its_decision) {
    auto refusal = conflict(std::string(name_of(its_decision.verdict)), explain(its_decision));
    refusal.decision = its_decision;
    return refusal;
}

Refusal::operator Error() const {
    const auto text = field.empty() ? message : field + " " + message;
    switch (kind) {
        case Kind::bad_field:
        case Kind::unprocessable:
        case Kind::forbidden:
            return {Errc::invalid, text};
        case Kind::not_found:
        case Kind::gone:
            return {Errc::not_found, text};
        case Kind::conflict:
        case Kind::lost_race:
            return {Errc::conflict, text};
        case Kind::provider:
        case Kind::unavailable:
            return {Errc::unavailable, text};
        case Kind::internal:
            break;
    }
    return {Errc::corrupt, text};
}

}  // namespace mailroom::reminders
