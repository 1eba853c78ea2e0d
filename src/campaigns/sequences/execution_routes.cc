#include "campaigns/sequences/execution_routes.h"

#include "campaigns/scopes.h"
#include "campaigns/sequences/simulation.h"
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

struct StartWish {
    std::string id, email, first_name;
    AnyObject attributes;

    static constexpr auto fields = std::tuple{
        table::required("id", &StartWish::id), table::required("email", &StartWish::email),
        table::asked("firstName", &StartWish::first_name),
        table::asked("attributes", &StartWish::attributes,
                     "What they come with: choices look at it, and the profile takes it.")};
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

void add_moves(program::Api& api, const Executions& executions) {
    api.post("/v1/sequences/{id}/people/{email}/start",
             {.name = "start_person_in_sequence",
              .scope = scope::send,
              .summary = "Bring somebody into a sequence",
              .more = "Who is in it already begins anew. Whom nothing of it may be sent does not "
                      "enter; their profile takes what they come with all the same.",
              .refuses = {Refusal::Kind::conflict}},
             [&](const StartWish& in, const Actor&) {
                 return executions.enter(in.id, {in.email, in.first_name, in.attributes.members});
             });
    api.post("/v1/sequences/{id}/people/{email}/pause",
             {.name = "pause_person_in_sequence",
              .scope = scope::send,
              .summary = "Let somebody wait where they are in a sequence",
              .refuses = {Refusal::Kind::conflict}},
             [&](const PersonWish& in, const Actor&) { return executions.pause(in.id, in.email); });
    api.post(
        "/v1/sequences/{id}/people/{email}/resume",
        {.name = "resume_person_in_sequence",
         .scope = scope::send,
         .summary = "Let somebody go on who was paused",
         .more = "Waits that are over by then are over.",
         .refuses = {Refusal::Kind::conflict}},
        [&](const PersonWish& in, const Actor&) { return executions.resume(in.id, in.email); });
}

}  // namespace

void add_execution_routes(program::Api& api, const Sequences& sequences,
                          const Executions& executions) {
    add_lists(api, sequences, executions);
    add_moves(api, executions);
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
