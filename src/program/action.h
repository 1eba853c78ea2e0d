// Actions of routes that are member functions: what one takes says what is read.
//
//   api.post("/v1/reminders/drafts/{id}/approve", {…}, act(drafts, &Drafts::approve));
//
// where approve is one of
//   Out (const In&, const Actor&)
//   Out (const std::string& id, const In&, const Actor&)    the path names `id`; In is the rest
//   Out (const std::string& id, const Actor&), Out (const std::string& id)
//   Out (const In&)
//   Out (const In&, const PageWish&), Out (const PageWish&)                   for a list
#pragma once

#include "program/actor.h"
#include "program/output.h"
#include "table/records/cursor.h"
#include "table/records/record.h"

#include <string>
#include <type_traits>
#include <utility>

namespace mailroom::program {

// Something by the id that the path names.
struct ById {
    std::string id;

    static constexpr auto fields = std::tuple{table::fields::required("id", &ById::id)};
};

// The same, and what is asked of it.
template <class In>
struct Of {
    std::string id;
    In asked;

    static constexpr auto fields =
        std::tuple{table::fields::required("id", &Of::id), table::fields::part(&Of::asked)};
    static void check(const Of& of, table::Reading& reading) {
        if constexpr (requires { table::Record<In>::check(of.asked, reading); }) {
            table::Record<In>::check(of.asked, reading);
        }
    }
};

// `object` must outlive the action.
template <class Object, class Out, class In>
auto act(Object& object, Out (Object::*member)(const In&, const Actor&)) {
    return [&object, member](const In& in, const Actor& who) { return (object.*member)(in, who); };
}
template <class Object, class Out, class In>
auto act(Object& object, Out (Object::*member)(const std::string&, const In&, const Actor&)) {
    return [&object, member](const Of<In>& in, const Actor& who) {
        return (object.*member)(in.id, in.asked, who);
    };
}
template <class Object, class Out>
auto act(Object& object, Out (Object::*member)(const std::string&, const Actor&)) {
    return [&object, member](const ById& in, const Actor& who) {
        return (object.*member)(in.id, who);
    };
}
template <class Object, class Out>
auto act(Object& object, Out (Object::*member)(const std::string&)) {
    return [&object, member](const ById& in, const Actor&) { return (object.*member)(in.id); };
}
template <class Object, class Out, class In>
auto act(Object& object, Out (Object::*member)(const In&)) {
    return [&object, member](const In& in, const Actor&) { return (object.*member)(in); };
}
template <class Object, class Out, class In>
auto act(Object& object, Out (Object::*member)(const In&, const table::PageWish&)) {
    return [&object, member](const In& in, const table::PageWish& page, const Actor&) {
        return (object.*member)(in, page);
    };
}
template <class Object, class Out>
auto act(Object& object, Out (Object::*member)(const table::PageWish&)) {
    return [&object, member](const Nothing&, const table::PageWish& page, const Actor&) {
        return (object.*member)(page);
    };
}

namespace actions {

template <class Action, class Then, class Out, class... In>
auto followed(Action action, Then then, Out (Action::*)(In...) const) {
    using Made = std::invoke_result_t<Then, typename Out::value_type>;
    return [action, then](In... in) -> Answer<Made> { return then(TRY(action(in...))); };
}

}  // namespace actions

// The action with something made of what it answers.
template <class Action, class Then>
auto followed(Action action, Then then) {
    return actions::followed(action, then, &Action::operator());
}
// 201.
template <class Action>
auto created(Action action) {
    return followed(action, []<class T>(T value) { return Created<T>{std::move(value)}; });
}

}  // namespace mailroom::program
