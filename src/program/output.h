// What a route answers: a record, a list, a file, or nothing, each with its status, its schema and
// its form.
#pragma once

#include "program/input.h"
#include "program/route.h"
#include "table/records/cursor.h"
#include "table/records/record.h"

#include <concepts>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::program {

// 201.
template <class T>
struct Created {
    T value;
};
// 202: it is on its way.
template <class T>
struct Taken {
    T value;
};
// 204.
struct Done {};
// Bytes as they are. One that is always of a kind may say so: static constexpr const char* type.
struct File {
    std::string content_type, bytes;
    Pairs headers = {};
};
// A secret that is there already: no cache may keep it.
template <class T>
struct Shown {
    T value;
};
// A secret, shown once: no cache may keep it. 201.
template <class T>
struct Secret {
    T value;
};

// Has, all static: contents(table::Schemas&), which lists what may come, and render(T).
template <class T>
struct Output;

template <class T>
Content json_content(int status, table::Schemas& schemas) {
    std::string schema;
    json::Writer writer(schema);
    writer.open_object();
    table::Form<T>::describe(writer, schemas);
    writer.close_object();
    return {status, "application/json", std::move(schema)};
}

template <table::HasRecord T>
struct Output<T> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        return {json_content<T>(200, schemas)};
    }
    static Rendered render(const T& value) {
        Rendered rendered;
        rendered.body = table::to_json(value);
        return rendered;
    }
};

template <class T>
struct Output<Created<T>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        return {json_content<T>(201, schemas)};
    }
    static Rendered render(const Created<T>& created) {
        auto rendered = Output<T>::render(created.value);
        rendered.status = 201;
        return rendered;
    }
};

template <class T>
struct Output<Taken<T>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        return {json_content<T>(202, schemas)};
    }
    static Rendered render(const Taken<T>& taken) {
        auto rendered = Output<T>::render(taken.value);
        rendered.status = 202;
        return rendered;
    }
};

template <class T>
struct Output<Shown<T>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        return Output<T>::contents(schemas);
    }
    static Rendered render(const Shown<T>& secret) {
        auto rendered = Output<T>::render(secret.value);
        rendered.headers.emplace_back("Cache-Control", "no-store");
        return rendered;
    }
};

template <class T>
struct Output<Secret<T>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        return {json_content<T>(201, schemas)};
    }
    static Rendered render(const Secret<T>& secret) {
        auto rendered = Output<Shown<T>>::render({secret.value});
        rendered.status = 201;
        return rendered;
    }
};

// {"items":[…],"next":…}
template <class T>
struct Output<table::Slice<T>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        std::string schema;
        json::Writer writer(schema);
        writer.open_object().key("type").text("object").key("properties").open_object();
        writer.key("items").open_object().key("type").text("array").key("items").open_object();
        table::Form<T>::describe(writer, schemas);
        writer.close_object().close_object().key("next").open_object().key("type").open_list();
        writer.text("string").text("null").close_list().key("description");
        writer.text("Ask again with ?after= this for what follows; null on the last page.");
        writer.close_object().close_object().key("required").open_list();
        writer.text("items").text("next").close_list();
        writer.key("additionalProperties").boolean(false).close_object();
        return {{200, "application/json", std::move(schema)}};
    }
    static Rendered render(const table::Slice<T>& slice) {
        Rendered rendered;
        json::Writer writer(rendered.body);
        writer.open_object().key("items");
        table::Form<std::vector<T>>::show(writer, slice.items);
        writer.key("next");
        table::Form<std::optional<std::string>>::show(writer, slice.next);
        writer.close_object();
        return rendered;
    }
};

template <>
struct Output<Done> {
    static std::vector<Content> contents(table::Schemas&) { return {{204, "", ""}}; }
    static Rendered render(const Done&) { return {204, "", "", {}}; }
};

// The same, where that it is done is all.
template <>
struct Output<Ok> : Output<Done> {
    static Rendered render(const Ok&) { return Output<Done>::render({}); }
};

template <std::derived_from<File> T>
struct Output<T> {
    static std::vector<Content> contents(table::Schemas&) {
        if constexpr (requires { T::type; }) return {{200, T::type, ""}};
        return {{200, "*/*", ""}};
    }
    static Rendered render(const File& file) {
        return {200, file.content_type, file.bytes, file.headers};
    }
};

// One of several.
template <class... Ts>
struct Output<std::variant<Ts...>> {
    static std::vector<Content> contents(table::Schemas& schemas) {
        std::vector<Content> all;
        (std::ranges::move(Output<Ts>::contents(schemas), std::back_inserter(all)), ...);
        return all;
    }
    static Rendered render(const std::variant<Ts...>& value) {
        return std::visit([]<class T>(const T& one) { return Output<T>::render(one); }, value);
    }
};

}  // namespace mailroom::program

namespace mailroom::table {

// One that was refused among many.
template <>
struct Form<Refusal> {
    static void show(json::Writer& writer, const Refusal& refusal) {
        program::write_refusal(writer, refusal);
    }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("object"); }
};

}  // namespace mailroom::table
