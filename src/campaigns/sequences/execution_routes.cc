#include "campaigns/sequences/execution_routes.h"

#include "campaigns/scopes.h"
#include "program/action.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

using program::Actor;
using program::Agents;
using program::ById;
using table::PageWish;

struct PersonWish {
    std::string id, email;

    static constexpr auto fields = std::tuple{table::required("id", &PersonWish::id),
                                              table::required("email", &PersonWish::email)};
};

struct StopWish {
    std::string id, email, reason;

    static constexpr auto fields =
        std::tuple{table::required("id", &StopWish::id), table::required("email", &StopWish::email),
                   table::asked("reason", &StopWish::reason, "Kept with what became of them.")};
    static void check(const StopWish& wish, table::Reading& reading) {
        constexpr std::size_t reason_bytes_max = 500;
        if (wish.reason.size() > reason_bytes_max) {
            reading.wrong_member("reason", "must be at most 500 bytes");
        }
    }
};

struct PastWish {
    std::string email;

    static constexpr auto fields = std::tuple{table::required("email", &PastWish::email)};
};

void add_lists(program::Api& api, const Sequences& sequences, const Executions& executions) {
    api.list("/v1/sequences/{id}/people",
             {.name = "list_people_in_sequence",
              .scope = scope::read,
              .summary = "Who is in a sequence, whichever program put them there",
              .agents = Agents::may},
             [&](const ById& in, const PageWish& page,
                 const Actor&) -> Answer<table::Slice<SomebodyInside>> {
                 TRY(sequences.require(in.id));
                 return TRY(executions.inside(in.id, page));
             });
    api.get(
        "/v1/sequences/{id}/people/{email}",
        {.name = "get_person_in_sequence",
         .scope = scope::read,
         .summary = "Where somebody is in a sequence",
         .agents = Agents::may},
        [&](const PersonWish& in, const Actor&) { return executions.require(in.id, in.email); });
    api.list("/v1/people/{email}/sequences/past",
             {.name = "list_past_sequences",
              .scope = scope::read,
              .summary = "Sequences that somebody was in, and how each ended",
              .agents = Agents::may},
             [&](const PastWish& in, const PageWish& page, const Actor&) {
                 return executions.past(in.email, page);
             });
}

}  // namespace

void add_execution_routes(program::Api& api, const Sequences& sequences,
                          const Executions& executions) {
    add_lists(api, sequences, executions);
    api.post("/v1/sequences/{id}/people/{email}/stop",
             {.name = "stop_person_in_sequence",
              .scope = scope::send,
              .summary = "Take somebody out of a sequence",
              .more = "Both rows that name them go, whichever program put them there. Mails that "
                      "were handed over already are not called back."},
             [&](const StopWish& in, const Actor& who) -> Answer<Ok> {
                 return executions.stop(in.id, in.email,
                                        in.reason.empty() ? "Stopped by hand" : in.reason, who);
             });
}

}  // namespace mailroom::campaigns
