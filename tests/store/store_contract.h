// What the tests of the contract share: one store of each kind, and short ways to ask it.
#pragma once

#include "backend.h"
#include "table/store.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::table {

struct BackendKind {
    const char* name;
    std::unique_ptr<Backend> (*make)();
    friend std::ostream& operator<<(std::ostream& out, const BackendKind& kind) {
        return out << kind.name;
    }
};

// The last two arguments of INSTANTIATE_TEST_SUITE_P.
inline auto every_store() {
    return testing::Values(BackendKind{"embedded", make_embedded},
                           BackendKind{"remote", make_remote});
}
inline std::string name_of(const testing::TestParamInfo<BackendKind>& info) {
    return info.param.name;
}

using Values = std::vector<std::pair<std::string, Value>>;

class StoreContract : public testing::TestWithParam<BackendKind> {
protected:
    void SetUp() override { backend = GetParam().make(); }

    Store& store() { return backend->store(); }

    // `pk`, and `sk` in the second; both strings.
    static CreateTable hash_table(const std::string& name) {
        CreateTable request;
        request.name = name;
        request.attributes = {{"pk", Kind::string}};
        request.keys = {"pk", ""};
        return request;
    }
    static CreateTable range_table(const std::string& name) {
        auto request = hash_table(name);
        request.attributes.push_back({"sk", Kind::string});
        request.keys.range = "sk";
        return request;
    }
    void create(const CreateTable& request) {
        const auto created = store().create_table(request);
        ASSERT_TRUE(created) << created.error().message;
    }

    static PutItem put(const std::string& table, Item item) {
        PutItem request;
        request.table = table;
        request.item = std::move(item);
        return request;
    }
    void fill(const std::string& table, Item item) {
        const auto done = store().put(put(table, std::move(item)));
        ASSERT_TRUE(done) << done.error().message;
    }
    static UpdateItem update(const std::string& table, Item key, const std::string& expression,
                             Values values = {}) {
        UpdateItem request;
        request.table = table;
        request.key = std::move(key);
        request.update = expression;
        request.bind.values = std::move(values);
        return request;
    }
    static DeleteItem erase(const std::string& table, Item key) {
        DeleteItem request;
        request.table = table;
        request.key = std::move(key);
        return request;
    }
    static GetItem get(const std::string& table, Item key) {
        GetItem request;
        request.table = table;
        request.key = std::move(key);
        return request;
    }
    static Query query(const std::string& table, const std::string& condition, Values values) {
        Query request;
        request.table = table;
        request.key_condition = condition;
        request.bind.values = std::move(values);
        return request;
    }

    std::optional<Item> read(const std::string& table, Item key) {
        auto got = store().get(get(table, std::move(key)));
        EXPECT_TRUE(got) << got.error().message;
        return got ? got->item : std::nullopt;
    }

    template <class T>
    static void expect_refused(const Outcome<T>& outcome, Fault fault, std::string_view message) {
        ASSERT_FALSE(outcome);
        EXPECT_EQ(exception_name(outcome.error().fault), exception_name(fault));
        EXPECT_EQ(outcome.error().message, message);
    }

    std::unique_ptr<Backend> backend;
};

}  // namespace mailroom::table
