// In which expansions somebody is, as a part of what is known of them.
#pragma once

#include "people/lifecycle/personal_data.h"
#include "people/segments/expansions.h"

#include <string>
#include <string_view>

namespace mailroom::people {

class ExpansionParts final : public PersonalData {
public:
    // Must outlive it.
    explicit ExpansionParts(const Expansions& expansions) : expansions_(expansions) {}

    std::string_view name() const override { return "expansions"; }
    Result<> show(const std::string& person, json::Writer& writer) override;
    // Nobody else takes the place: what goes to many on its way to both addresses would come twice.
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override;

private:
    const Expansions& expansions_;
};

}  // namespace mailroom::people
