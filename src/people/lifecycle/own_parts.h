// What people/ itself keeps of a person beside the profile.
#pragma once

#include "people/books.h"
#include "people/consent/confirmations.h"
#include "people/lifecycle/personal_data.h"

#include <string>
#include <string_view>

namespace mailroom::people {

// What waits to be confirmed: it does not go along to another address, which has to say so itself.
class PendingParts final : public PersonalData {
public:
    PendingParts(const Books& books, const Confirmations& confirmations)
        : books_(books), confirmations_(confirmations) {}

    std::string_view name() const override { return "pending"; }
    Result<> show(const std::string& person, json::Writer& writer) override;
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override;
    Result<> erase_until(const std::string& person, Time until) override;

private:
    const Books& books_;
    const Confirmations& confirmations_;
};

// What they did with mails, all in one row: that of another person is added.
class ActivityParts final : public PersonalData {
public:
    explicit ActivityParts(const Books& books);

    std::string_view name() const override { return rows_.name(); }
    Result<> show(const std::string& person, json::Writer& writer) override {
        return rows_.show(person, writer);
    }
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override { return rows_.erase(person); }

private:
    const Books& books_;
    PersonalRows rows_;
};

// Rows of sequences stand under both names, and move together.
class SequenceParts final : public PersonalData {
public:
    explicit SequenceParts(const Books& books);

    std::string_view name() const override { return rows_.name(); }
    Result<> show(const std::string& person, json::Writer& writer) override {
        return rows_.show(person, writer);
    }
    Result<> move(const std::string& person, const std::string& to) override;
    Result<> erase(const std::string& person) override;
    Result<> erase_until(const std::string& person, Time until) override;

private:
    Result<std::vector<std::string>> names_of(const std::string& person,
                                              Time until = Time::max()) const;

    const Books& books_;
    PersonalRows rows_;
};

}  // namespace mailroom::people
