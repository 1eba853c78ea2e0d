#include "program/kept_settings.h"

#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

namespace mailroom::program {
namespace {

TEST(KeptSettings, AValueIsMadeOnceAndStays) {
    const ManualClock clock(from_unix_ms(1'794'721'884'123));
    SeededRandom random(1);
    kv::MemoryStore rows;
    const auto engine = table::Engine::open(rows, clock, random);
    ASSERT_TRUE(engine) << engine.error().message;
    for (const std::string made : {"first", "second"}) {
        auto kept = KeptSettings::open(**engine);
        ASSERT_TRUE(kept) << kept.error().message;
        const auto value = kept->get_or_keep("callback_secret", [&] { return made; });
        ASSERT_TRUE(value) << value.error().message;
        EXPECT_EQ(*value, "first");
        const auto other = kept->get_or_keep("other " + made, [&] { return made; });
        ASSERT_TRUE(other);
        EXPECT_EQ(*other, made);
    }
}

}  // namespace
}  // namespace mailroom::program
