// What mail can be about: people may want some topics and not others.
//
//   MailroomPeople   TOPICS   {id}   name, description S   texts L   double_opt_in, hidden BOOL …
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "table/records/pages.h"
#include "table/records/record.h"
#include "table/records/rows.h"
#include "table/schema.h"
#include "table/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

inline constexpr std::size_t topic_id_bytes_max = 64, topics_max = 200;

// Lower-case letters, digits, ".", "_" and "-"; the first one a letter or a digit.
bool is_topic_id(std::string_view text);

// What a topic is called in another language.
struct TopicText {
    std::string language;  // "de", "pt-BR".
    std::string name, description;

    static constexpr std::string_view record_name = "TopicText";
    static constexpr auto fields =
        std::tuple{table::must_have("language", &TopicText::language, "Such as de or pt-BR."),
                   table::must_have("name", &TopicText::name),
                   table::Member{"description", "description", &TopicText::description,
                                 table::Need::omitted, ""}};
    bool operator==(const TopicText&) const = default;
};

struct TopicDetails {
    std::string name, description;
    std::vector<TopicText> texts;
    bool double_opt_in = false;  // Who opts in confirms it by a link in a mail.
    bool hidden = false;         // Not among the topics that people choose from by themselves.

    // In that language, else in the one without a region, else as it is called.
    TopicText text_in(std::string_view language) const;
    bool operator==(const TopicDetails&) const = default;

    static constexpr auto fields = std::tuple{
        table::must_have("name", &TopicDetails::name, "As people read it."),
        table::kept("description", &TopicDetails::description, "What they get, and how often."),
        table::kept("texts", &TopicDetails::texts, "The same in other languages."),
        table::kept("double_opt_in", &TopicDetails::double_opt_in,
                    "Who opts in must confirm it by a link in a mail."),
        table::kept("hidden", &TopicDetails::hidden, "Not shown on the page of preferences.")};
    static void check(const TopicDetails& details, table::Reading& reading);
};

struct Topic {
    std::string id;
    TopicDetails details;
    Time created, updated;
    std::int64_t version = 0;

    static constexpr std::string_view record_name = "Topic";
    static constexpr auto fields = std::tuple{
        table::must_have("id", &Topic::id), table::part(&Topic::details),
        table::kept("created_at", &Topic::created), table::kept("updated_at", &Topic::updated),
        table::stored("version", &Topic::version)};
    static void derive(const Topic& topic, table::Item& row);
};

// Thread-safe.
class TopicCatalog {
public:
    // `declared` as the table is made. All must outlive this object.
    TopicCatalog(table::Store& store, const Clock& clock, table::CreateTable declared)
        : store_(store), clock_(clock), rows_(store, std::move(declared)) {}

    Result<std::optional<Topic>> find(const std::string& id) const;
    Answer<Topic> require(const std::string& id) const;
    // By id.
    Result<table::Slice<Topic>> page(const table::PageWish& wish) const;
    Result<std::vector<Topic>> all() const;

    // Makes it or changes it. `bad_field` for what is no id.
    Answer<Topic> save(const std::string& id, const TopicDetails& details) const;
    // Who opted out of it stays so, should it come again.
    Answer<> remove(const std::string& id) const;

private:
    Answer<Topic> save_once(const std::string& id, const TopicDetails& details) const;

    table::Store& store_;
    const Clock& clock_;
    const table::Rows<Topic> rows_;
};

}  // namespace mailroom::people
