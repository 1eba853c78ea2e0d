// What the code under test sees of its tables. In unit tests that is the engine in memory itself;
// tests/stores puts a store between that is as bad as a real one, or a network, and runs the same
// tests again.
//
//   front = table::make_front(*engine, clock);
//   drafts.emplace(front->store(), …);
#pragma once

#include "base/clock.h"
#include "table/engine/engine.h"

#include <functional>
#include <memory>

namespace mailroom::table {

class Front {
public:
    virtual ~Front() = default;
    virtual Store& store() = 0;
    // Other processes may be at the tables too: what somebody holds is held until it runs out.
    virtual bool is_shared() const = 0;
    // Reads that come late see all that was written so far, also past this store.
    virtual void catch_up() = 0;
};

// Nothing between.
class NoFront final : public Front {
public:
    explicit NoFront(Engine& engine) : engine_(engine) {}
    Store& store() override { return engine_; }
    bool is_shared() const override { return false; }
    void catch_up() override {}

private:
    Engine& engine_;
};

using FrontMaker = std::function<std::unique_ptr<Front>(Engine&, const Clock&)>;
// Of all tests of this program; set before they run.
inline FrontMaker& front_maker() {
    static FrontMaker maker;
    return maker;
}

// The engine and the clock must outlive it.
inline std::unique_ptr<Front> make_front(Engine& engine, const Clock& clock) {
    if (front_maker()) return front_maker()(engine, clock);
    return std::make_unique<NoFront>(engine);
}

}  // namespace mailroom::table
