// What the account has of one person, for those who ask for it and for those who want to be
// forgotten: their events, and what is kept of the mails to them.
#pragma once

#include "engagement/settings.h"
#include "people/lifecycle/personal_data.h"
#include "table/store.h"

#include <set>
#include <string>
#include <string_view>

namespace mailroom::engagement {

// Thread-safe.
class PersonalEvents final : public people::PersonalData {
public:
    // The store must outlive this object; `audience` is the table with the send log.
    PersonalEvents(table::Store& store, const TableNames& tables, std::string audience);

    std::string_view name() const override { return events_.name(); }
    // The rows of EmailEvents.
    Result<> show(const std::string& person, json::Writer& writer) override {
        return events_.show(person, writer);
    }
    Result<> move(const std::string& person, const std::string& to) override;
    // Counters and numbers stay: they are nobody's.
    Result<> erase(const std::string& person) override;
    // What is kept of the mails until then, too.
    Result<> erase_until(const std::string& person, Time until) override;

private:
    // Of which there are events, or which are in the send log.
    Result<std::set<std::string>> mails_of(const std::string& person,
                                           Time until = Time::max()) const;
    Result<> forget_mail(const std::string& mail_id, const std::string& person) const;
    Result<> move_mail(const std::string& mail_id, const std::string& person,
                       const std::string& to) const;

    table::Store& store_;
    const TableNames tables_;
    const std::string audience_;
    people::PersonalRows events_;
};

}  // namespace mailroom::engagement
