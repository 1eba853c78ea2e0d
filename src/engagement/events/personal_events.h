// What engagement keeps of a person by their address: their events, and that a mail went to them.
#pragma once

#include "engagement/settings.h"
#include "people/lifecycle/personal_data.h"
#include "table/store.h"

#include <string>
#include <string_view>

namespace mailroom::engagement {

// Thread-safe.
class PersonalEvents final : public people::PersonalData {
public:
    // The store must outlive this object.
    PersonalEvents(table::Store& store, const TableNames& tables);

    std::string_view name() const override { return events_.name(); }
    Result<> show(const std::string& person, json::Writer& writer) override {
        return events_.show(person, writer);
    }
    Result<> move(const std::string& person, const std::string& to) override {
        return events_.move(person, to);
    }
    // Numbers stay: they have no names.
    Result<> erase(const std::string& person) override;

private:
    Result<> forget_mail(const std::string& mail_id, const std::string& person);

    table::Store& store_;
    const TableNames tables_;
    people::PersonalRows events_;
};

}  // namespace mailroom::engagement
