// The routes of the programs, declared with the structs they take and answer.
//
//   api.group("Reminders");
//   api.post("/v1/reminders/drafts/{id}/approve",
//            {.name = "approve_draft", .scope = approve, .summary = "Approve a draft"},
//            [&](const ApproveDraft& in, const Actor& who) -> Answer<Draft> { … });
//   api.list("/v1/reminders/drafts", {…},
//            [&](const DraftFilter& in, const PageWish& page, const Actor&)
//                -> Result<Slice<Draft>> { … });
//
// Actions run on worker threads, several at a time.
#pragma once

#include "program/input.h"
#include "program/output.h"
#include "program/route.h"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace mailroom::program {

namespace declared {

// What an action takes and gives, from its own signature.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class F, class R, class... Args>
struct Signature<R (F::*)(Args...) const> {
    using In = std::remove_cvref_t<std::tuple_element_t<0, std::tuple<Args...>>>;
    using Out = typename R::value_type;
};

template <class In>
std::vector<Parameter> parameters(std::string_view path, Source source, table::Schemas& schemas) {
    const auto in_path = names_in(path);
    std::vector<Parameter> all;
    In sample{};
    table::record::each(
        sample, [&]<class At, class S, class O>(const table::Member<At, S>& member, O&) {
            const bool is_in_path = std::ranges::find(in_path, member.name) != in_path.end();
            if (!is_in_path && is_object(source)) return;
            Parameter parameter;
            parameter.place = is_in_path ? Parameter::Place::path : Parameter::Place::query;
            parameter.name = member.name;
            parameter.is_required = is_in_path || member.need == table::Need::required;
            parameter.about = member.about;
            json::Writer writer(parameter.schema);
            writer.open_object();
            table::record::FormOf<O, At, S>::describe(writer, schemas);
            writer.close_object();
            all.push_back(std::move(parameter));
        });
    return all;
}

template <class In>
concept DescribesBody = requires(json::Writer& writer, table::Schemas& schemas) {
    In::describe_body(writer, schemas);
};

// The schema of the body; none if the path names all members.
template <class In>
std::vector<Content> body(std::string_view path, Source source, table::Schemas& schemas) {
    if (source == Source::query) return {};
    if (source == Source::raw_body) {
        if constexpr (requires { In::body_type; }) return {{0, In::body_type, ""}};
        return {{0, "*/*", ""}};
    }
    std::string schema;
    json::Writer writer(schema);
    writer.open_object();
    std::size_t members = 1;
    if constexpr (DescribesBody<In>) {
        In::describe_body(writer, schemas);
    } else {
        members = table::describe_object<In>(writer, schemas, table::Way::in, names_in(path));
        if (source == Source::change) writer.key("minProperties").integer(1);
    }
    writer.close_object();
    if (members == 0) return {};
    return {{0, "application/json", std::move(schema)}};
}

// Whether a body must be there at all.
template <class In>
bool needs_body(std::string_view path, Source source) {
    if (source == Source::query) return false;
    if (source == Source::raw_body || source == Source::change || DescribesBody<In>) return true;
    const auto in_path = names_in(path);
    bool is_needed = false;
    In sample{};
    table::record::each(sample, [&](const auto& member, const auto&) {
        const bool is_in_path = std::ranges::find(in_path, member.name) != in_path.end();
        is_needed |= member.need == table::Need::required && !is_in_path;
    });
    return is_needed;
}

}  // namespace declared

class Api {
public:
    // For those that follow: the heading they stand under, and what is there.
    void group(std::string name, std::string about = "");

    template <class Action>
    void get(std::string path, const About& about, Action action) {
        add("GET", std::move(path), about, Source::query, std::move(action));
    }
    template <class Action>
    void remove(std::string path, const About& about, Action action) {
        add("DELETE", std::move(path), about, Source::query, std::move(action));
    }
    template <class Action>
    void post(std::string path, const About& about, Action action) {
        add("POST", std::move(path), about, Source::body, std::move(action));
    }
    template <class Action>
    void put(std::string path, const About& about, Action action) {
        add("PUT", std::move(path), about, Source::body, std::move(action));
    }
    // A body that asks for no change is refused.
    template <class Action>
    void patch(std::string path, const About& about, Action action) {
        add("PATCH", std::move(path), about, Source::change, std::move(action));
    }

    // A GET whose action also takes a wish for a page.
    template <class Action>
    void list(std::string path, const About& about, Action action) {
        using In = typename declared::Signature<Action>::In;
        using Out = typename declared::Signature<Action>::Out;
        auto& route = declare<In, Out>("GET", std::move(path), about, Source::query);
        add_page_parameters(route);
        route.act = [action = std::move(action)](const Asked& asked) {
            table::Reading reading;
            json::Parser parser;
            auto query = asked.query;
            const auto wish = take_page_wish(query, reading);
            const auto in = read_input<In>(asked, query, Source::query, parser, reading);
            if (!in) return render(in.error());
            return rendered<Out>(action(*in, wish, asked.actor));
        };
    }

    // Says what a route takes and answers. It is served elsewhere unless the caller adds `act`, at
    // once: the next route makes the reference invalid. An `In` whose body is no record has
    // describe_body(json::Writer&, table::Schemas&), which writes members of its schema.
    template <class In, class Out>
    Route& declare(std::string method, std::string path, const About& about, Source source) {
        Route route;
        route.method = std::move(method);
        route.path = std::move(path);
        route.group = group_;
        route.about = about;
        if (takes_raw_body<In> && source == Source::body) source = Source::raw_body;
        route.parameters = declared::parameters<In>(route.path, source, schemas_);
        route.body = declared::body<In>(route.path, source, schemas_);
        route.needs_body = declared::needs_body<In>(route.path, source);
        route.answers = Output<Out>::contents(schemas_);
        routes_.push_back(std::move(route));
        return routes_.back();
    }

    const std::vector<Route>& routes() const { return routes_; }
    struct Group {
        std::string name, about;
    };
    const std::vector<Group>& groups() const { return groups_; }  // In their order.
    const table::Schemas& schemas() const { return schemas_; }
    // All that some route asks for, each once, in order; not the one of none.
    std::vector<std::string> scopes() const;

private:
    template <class Action>
    void add(std::string method, std::string path, const About& about, Source source,
             Action action) {
        using In = typename declared::Signature<Action>::In;
        using Out = typename declared::Signature<Action>::Out;
        if (takes_raw_body<In>) source = Source::raw_body;
        auto& route = declare<In, Out>(std::move(method), std::move(path), about, source);
        route.act = [action = std::move(action), source](const Asked& asked) {
            table::Reading reading;
            json::Parser parser;
            const auto in = read_input<In>(asked, asked.query, source, parser, reading);
            if (!in) return render(in.error());
            return rendered<Out>(action(*in, asked.actor));
        };
    }
    template <class Out, class Answered>
    static Rendered rendered(const Answered& answered) {
        return answered ? Output<Out>::render(*answered) : render(Refusal(answered.error()));
    }
    static void add_page_parameters(Route& route);

    std::string group_;
    std::vector<Group> groups_;
    std::vector<Route> routes_;
    table::Schemas schemas_;
};

}  // namespace mailroom::program
