// Why something that was asked for was not done.
#pragma once

#include "base/result.h"
#include "reminders/rules.h"
#include "table/failure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::reminders {

// What a customer owes that is overdue.
struct Figures {
    std::int64_t cents = 0;
    std::string currency;
    std::vector<std::string> invoice_ids;

    bool operator==(const Figures&) const = default;
};

struct Refusal {
    enum class Kind {
        bad_field,  // `field` says which; the message completes "FIELD …".
        not_found,
        forbidden,
        conflict,  // With how things stand now.
        gone,
        unprocessable,  // The text cannot be made.
        provider,       // Somebody whom we ask could not help.
        unavailable,    // The store: nothing was done; again later.
        lost_race,      // Somebody else changed the same thing. Never leaves this folder.
        internal,
    };
    Kind kind;
    std::string code;     // For programs: "draft_exists".
    std::string message;  // For people.
    std::string field = {};
    std::optional<Decision> decision = std::nullopt;
    std::optional<Figures> figures = std::nullopt;  // As they are now.
    // Of the draft, as it is now.
    std::optional<std::pair<std::string, std::int64_t>> status_and_version = std::nullopt;
    std::vector<std::string> missing_variables = {};
    std::string content_hash = {};  // Of the draft's text, as it is now.

    Refusal(Kind its_kind, std::string its_code, std::string its_message)
        : kind(its_kind), code(std::move(its_code)), message(std::move(its_message)) {}
    Refusal(const Error& error);
    Refusal(const table::Failure& failure) : Refusal(static_cast<Error>(failure)) {}
    static Refusal bad_field(std::string its_field, std::string why);
    static Refusal not_found(std::string its_message);
    static Refusal conflict(std::string its_code, std::string its_message);
    // A decision forbids it.
    static Refusal by_rule(const Decision& its_decision);

    operator Error() const;
};

template <class T = Ok>
using Answer = Result<T, Refusal>;

// Runs `attempt` again as long as it loses against others who change the same thing.
template <class Attempt>
auto settled(Attempt attempt) -> decltype(attempt()) {
    constexpr int attempts_max = 100;  // Of those who race at least one wins each time.
    for (int i = 1;; ++i) {
        auto result = attempt();
        if (result || result.error().kind != Refusal::Kind::lost_race) return result;
        if (i == attempts_max) {
            return Refusal(Refusal::Kind::unavailable, "unavailable",
                           "too many changes of the same thing at once; try again");
        }
    }
}

}  // namespace mailroom::reminders
