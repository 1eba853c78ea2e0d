#include "base/log.h"
#include "outbox/routes/pause_record.h"
#include "outbox/routes/routes.h"

#include <utility>

namespace mailroom::outbox {

namespace {

using program::Actor;
using program::Created;
using program::Nothing;
using table::asked;
using table::required;
using table::shown;

constexpr std::size_t past_shown = 50;

// Text that must say something.
struct Reason : table::Form<std::string> {
    static void read(const json::View& view, std::string& to, table::Reading& reading) {
        table::Form<std::string>::read(view, to, reading);
        const bool is_empty = view.type() == json::View::Type::text && to.empty();
        if (is_empty) reading.wrong("is empty: say why");
    }
};

constexpr const char* about_scope = "all, stream:bulk, stream:transactional or domain:EXAMPLE.ORG.";

struct NewPause {
    PauseScope scope;
    std::string reason;

    static constexpr auto fields =
        std::tuple{required("scope", &NewPause::scope, about_scope),
                   table::spelled<Reason>(required("reason", &NewPause::reason, "For people."))};
};
struct EndPause {
    PauseScope scope;
    std::string reason;

    static constexpr auto fields = std::tuple{required("scope", &EndPause::scope, about_scope),
                                              asked("reason", &EndPause::reason)};
};
struct ShownPauses {
    std::vector<Pause> items;
    std::optional<std::string> next;
    std::vector<PauseEvent> history;

    static constexpr std::string_view record_name = "Pauses";
    static constexpr auto fields = std::tuple{
        shown("items", &ShownPauses::items), shown("next", &ShownPauses::next),
        shown("history", &ShownPauses::history, "The last fifty events, the latest first.")};
};

Result<ShownPauses> list(Pauses& pauses) {
    TRY(pauses.refresh());
    auto past = TRY(pauses.past(past_shown));
    return ShownPauses{pauses.now(), std::nullopt, std::move(past)};
}

std::string text_of(const Actor& who) { return who.name + " (" + who.id + ")"; }

Pause noted(Pause pause) {
    log::warn(pause.is_resuming ? "mails go on" : "mails are paused",
              {{"scope", pause.scope.text()}, {"by", pause.by}, {"reason", pause.reason}});
    return pause;
}

Result<Created<Pause>> pause(const NewPause& in, Pauses& pauses, const Actor& who) {
    return Created<Pause>{noted(TRY(pauses.pause(in.scope, text_of(who), in.reason)))};
}

Result<Pause> resume(const EndPause& in, Pauses& pauses, const Actor& who) {
    return noted(TRY(pauses.resume(in.scope, text_of(who), in.reason)));
}

}  // namespace
}  // namespace mailroom::outbox

namespace mailroom::table {

template <>
struct Record<outbox::PauseEvent> {
    using Event = outbox::PauseEvent;
    static constexpr std::string_view record_name = "PauseEvent";
    static constexpr auto fields = std::tuple{
        shown("at", &Event::at), shown("event", &Event::what, "paused or resumed."),
        shown("scope", &Event::scope), shown("by", &Event::by), shown("reason", &Event::reason)};
};

}  // namespace mailroom::table

namespace mailroom::outbox {

void add_pause_routes(program::Api& api, const Desk& desk) {
    using program::scope::admin;
    constexpr auto conflict = mailroom::Refusal::Kind::conflict;
    api.get("/v1/outbox/pauses",
            {.name = "list_pauses",
             .scope = program::scope::read,
             .summary = "What is paused, and what was"},
            [desk](const Nothing&, const Actor&) { return list(desk.pauses); });
    api.post("/v1/outbox/pauses",
             {.name = "pause_mails",
              .scope = admin,
              .summary = "Hold mails back from now on",
              .once = program::Once::yes,
              .refuses = {conflict}},
             [desk](const NewPause& in, const Actor& who) { return pause(in, desk.pauses, who); });
    api.remove(
        "/v1/outbox/pauses/{scope}",
        {.name = "resume_mails", .scope = admin, .summary = "Let mails go on"},
        [desk](const EndPause& in, const Actor& who) { return resume(in, desk.pauses, who); });
}

}  // namespace mailroom::outbox
