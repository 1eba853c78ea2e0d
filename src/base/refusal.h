// Why something that was asked for was not done: a code for programs, a sentence for people.
//
// One for all programs and all doors: HTTP, SMTP and agents answer by its kind (see answer_of).
#pragma once

#include "base/pauses.h"
#include "base/result.h"

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom {

// What is wrong with one field of a request.
struct BadField {
    std::string field;      // "to[1]", "attachments[0].content".
    std::string why;        // Completes "FIELD …": "must be an e-mail address".
    std::string code = {};  // For programs, where `invalid` says too little.

    operator Error() const;  // `invalid`
    bool operator==(const BadField&) const = default;
};

struct Refusal {
    enum class Kind {
        invalid,  // The request is wrong; `fields` say where, if it is theirs.
        forbidden,
        not_found,
        conflict,  // Not as things stand.
        gone,
        unprocessable,  // The request is fine, and what it asks for cannot be made.
        too_many,       // Of these; again later.
        provider,       // Somebody whom we ask could not help.
        lost_race,      // Somebody else changed the same thing first: see settled().
        unavailable,    // Nothing was done; the same may succeed a moment later.
        internal,
    };

    Kind kind;
    std::string code;                   // "draft_exists".
    std::string message;                // A whole sentence, or what is wrong with the only field.
    std::vector<BadField> fields = {};  // All that are wrong, not only the first.
    std::string details = {};           // The JSON text of an object: how things stand. Or empty.

    Refusal(Kind its_kind, std::string its_code, std::string its_message)
        : kind(its_kind), code(std::move(its_code)), message(std::move(its_message)) {}
    // With the usual code of that kind.
    Refusal(Kind its_kind, std::string its_message);
    // A conflict of the store's is a lost race only where the caller knows it to be one.
    Refusal(const Error& error);
    template <class E>
    requires(!std::same_as<E, Error> && !std::derived_from<E, Refusal> &&
             std::convertible_to<const E&, Error>) Refusal(const E& error)
        : Refusal(static_cast<Error>(error)) {}
    Refusal(BadField field) : Refusal(std::vector<BadField>{std::move(field)}) {}
    Refusal(std::vector<BadField> bad_fields);

    static Refusal bad_field(std::string field, std::string why) {
        return BadField{std::move(field), std::move(why)};
    }
    static Refusal not_found(std::string message) { return {Kind::not_found, std::move(message)}; }
    static Refusal conflict(std::string code, std::string message) {
        return {Kind::conflict, std::move(code), std::move(message)};
    }
    static Refusal lost_race();

    // With the names of the fields: "name is missing; email must be an e-mail address".
    std::string text() const;
    operator Error() const;
};

template <class T = Ok>
using Answer = Result<T, Refusal>;

// How each door says a kind of refusal.
struct DoorAnswer {
    std::string_view code;  // When the refusal has none of its own.
    int http_status;
    int smtp_reply;
    std::string_view smtp_status;  // RFC 3463
};
const DoorAnswer& answer_of(Refusal::Kind kind);

// What whoever changes the same thing as others does: of those who race at least one wins each
// time, and those who lost look again, with pauses that grow and differ.
inline constexpr Pauses::Plan race_pauses = {.first = std::chrono::milliseconds(4),
                                             .longest = std::chrono::milliseconds(250),
                                             .tries_max = 40};

// Runs `attempt` again as long as it loses a race; `unavailable` if it never wins.
template <class Attempt>
auto settled(Pauses pauses, const Attempt& attempt) -> decltype(attempt()) {
    for (;;) {
        auto result = attempt();
        if (result || result.error().kind != Refusal::Kind::lost_race) return result;
        if (!pauses.again()) {
            return Refusal(Refusal::Kind::unavailable,
                           "too many changes of the same thing at once; try again");
        }
    }
}

}  // namespace mailroom
