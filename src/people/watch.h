// Who hears of it when something of a person changed.
#pragma once

#include <string_view>
#include <vector>

namespace mailroom::people {

// Thread-safe, quick, asks no store.
class PeopleWatch {
public:
    virtual ~PeopleWatch() = default;
    // It is durable; another program may have done it. Perhaps nothing is different.
    virtual void changed(std::string_view canonical) = 0;
};

// All of them. Thread-safe once the last was added.
class PeopleWatches {
public:
    void add(PeopleWatch& watch) { all_.push_back(&watch); }
    void tell(std::string_view canonical) const {
        for (auto* watch : all_) watch->changed(canonical);
    }

private:
    std::vector<PeopleWatch*> all_;
};

}  // namespace mailroom::people
