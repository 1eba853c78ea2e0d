#include "base/refusal.h"

#include <cassert>

namespace mailroom {

namespace {

using Kind = Refusal::Kind;

Kind kind_of(Errc code) {
    switch (code) {
        case Errc::invalid:
            return Kind::invalid;
        case Errc::not_found:
            return Kind::not_found;
        case Errc::conflict:
            return Kind::conflict;
        case Errc::throttled:
        case Errc::unavailable:
            return Kind::unavailable;
        case Errc::corrupt:
            break;
    }
    return Kind::internal;
}

std::string joined(const std::vector<BadField>& fields) {
    std::string text;
    for (const auto& bad : fields) {
        if (!text.empty()) text += "; ";
        text += bad.field.empty() ? bad.why : bad.field + " " + bad.why;
    }
    return text;
}

}  // namespace

BadField::operator Error() const {
    return {Errc::invalid, field.empty() ? why : field + " " + why};
}

const DoorAnswer& answer_of(Refusal::Kind kind) {
    static constexpr DoorAnswer invalid = {"invalid", 400, 554, "5.6.0"};
    static constexpr DoorAnswer forbidden = {"forbidden", 403, 550, "5.7.1"};
    static constexpr DoorAnswer not_found = {"not_found", 404, 550, "5.1.1"};
    static constexpr DoorAnswer conflict = {"conflict", 409, 554, "5.6.0"};
    static constexpr DoorAnswer gone = {"gone", 410, 550, "5.1.6"};
    static constexpr DoorAnswer unprocessable = {"invalid", 422, 554, "5.6.0"};
    static constexpr DoorAnswer too_many = {"throttled", 429, 452, "4.3.1"};
    static constexpr DoorAnswer provider = {"bad_gateway", 502, 451, "4.3.0"};
    static constexpr DoorAnswer unavailable = {"unavailable", 503, 451, "4.3.0"};
    static constexpr DoorAnswer internal = {"internal", 500, 451, "4.3.0"};
    switch (kind) {
        case Kind::invalid:
            return invalid;
        case Kind::forbidden:
            return forbidden;
        case Kind::not_found:
            return not_found;
        case Kind::conflict:
            return conflict;
        case Kind::gone:
            return gone;
        case Kind::unprocessable:
            return unprocessable;
        case Kind::too_many:
            return too_many;
        case Kind::provider:
            return provider;
        case Kind::lost_race:
        case Kind::unavailable:
            return unavailable;
        case Kind::internal:
            return internal;
    }
    assert(false);
    return internal;
}

Refusal::Refusal(Kind its_kind, std::string its_message)
    : Refusal(its_kind, std::string(answer_of(its_kind).code), std::move(its_message)) {}

Refusal::Refusal(const Error& error) : Refusal(kind_of(error.code), error.message) {}

Refusal::Refusal(std::vector<BadField> bad_fields) : Refusal(Kind::invalid, joined(bad_fields)) {
    assert(!bad_fields.empty());
    const auto& first = bad_fields.front();
    if (bad_fields.size() == 1) message = first.why;
    if (bad_fields.size() == 1 && !first.code.empty()) code = first.code;
    fields = std::move(bad_fields);
}

Refusal Refusal::lost_race() {
    return {Kind::lost_race, "somebody else changed the same thing at the same time; try again"};
}

std::string Refusal::text() const { return fields.empty() ? message : joined(fields); }

Refusal::operator Error() const {
    switch (kind) {
        case Kind::invalid:
        case Kind::unprocessable:
        case Kind::forbidden:
            return {Errc::invalid, text()};
        case Kind::not_found:
        case Kind::gone:
            return {Errc::not_found, text()};
        case Kind::conflict:
        case Kind::lost_race:
            return {Errc::conflict, text()};
        case Kind::too_many:
            return {Errc::throttled, text()};
        case Kind::provider:
        case Kind::unavailable:
            return {Errc::unavailable, text()};
        case Kind::internal:
            break;
    }
    return {Errc::corrupt, text()};
}

}  // namespace mailroom
