// Runs the tests it is linked with on another store: --store=harsh:7, or what else fronts.h names.
#include "stores/fronts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace mailroom::table {
namespace {

// A test that fails says on which store, so that it can be repeated.
class Naming final : public testing::EmptyTestEventListener {
public:
    explicit Naming(std::string store) : store_(std::move(store)) {}
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed()) std::printf("on --store=%s:\n", store_.c_str());
    }

private:
    const std::string store_;
};

int run(int count, char** arguments) {
    testing::InitGoogleTest(&count, arguments);
    constexpr std::string_view option = "--store=";
    const std::string_view given = count == 2 ? arguments[1] : "";
    const auto name = given.starts_with(option) ? given.substr(option.size()) : "";
    front_maker() = front_named(name);
    if (!front_maker()) {
        std::fprintf(stderr, "usage: %s --store=harsh:SEED|lossy:SEED|remote\n", arguments[0]);
        return 2;
    }
    testing::UnitTest::GetInstance()->listeners().Append(new Naming(std::string(name)));
    return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace mailroom::table

int main(int count, char** arguments) { return mailroom::table::run(count, arguments); }
