#include "people/consent/topics.h"

#include "base/text.h"
#include "people/locale.h"

#include <algorithm>

namespace mailroom::people {

namespace {

constexpr const char* partition = "TOPICS";
constexpr std::size_t name_bytes_max = 200, description_bytes_max = 1000, texts_max = 50;

table::Item key_of(const std::string& id) { return {{"PK", partition}, {"SK", id}}; }

void check_text(table::Reading& reading, std::string_view member, std::string_view text,
                std::size_t bytes_max) {
    if (text.size() <= bytes_max) return;
    reading.wrong_member(member, "must be at most " + std::to_string(bytes_max) + " bytes");
}

}  // namespace

bool is_topic_id(std::string_view text) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const auto fits = [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; };
    return !text.empty() && text.size() <= topic_id_bytes_max && is_plain(text.front()) &&
           std::ranges::all_of(text, fits);
}

TopicText TopicDetails::text_in(std::string_view language) const {
    const auto called = [&](std::string_view wanted) {
        return std::ranges::find_if(texts, [&](const TopicText& text) {
            return ascii_equal_ignoring_case(text.language, wanted);
        });
    };
    auto found = called(language);
    if (found == texts.end()) found = called(language.substr(0, language.find('-')));
    if (found != texts.end()) return *found;
    return {"", name, description};
}

void TopicDetails::check(const TopicDetails& details, table::Reading& reading) {
    if (trim(details.name).empty()) reading.wrong_member("name", "must not be empty");
    check_text(reading, "name", details.name, name_bytes_max);
    check_text(reading, "description", details.description, description_bytes_max);
    if (details.texts.size() > texts_max) reading.wrong_member("texts", "must be at most 50");
    for (std::size_t i = 0; i < details.texts.size(); ++i) {
        const auto& text = details.texts[i];
        const auto member = "texts[" + std::to_string(i) + "]";
        if (!is_language(text.language)) {
            reading.wrong_member(member + ".language", "must be a language such as de or pt-BR");
        }
        if (trim(text.name).empty()) reading.wrong_member(member + ".name", "must not be empty");
        check_text(reading, member + ".name", text.name, name_bytes_max);
        check_text(reading, member + ".description", text.description, description_bytes_max);
    }
}

void Topic::derive(const Topic& topic, table::Item& row) {
    row.set("PK", table::Value(partition));
    row.set("SK", table::Value(topic.id));
}

Result<std::optional<Topic>> TopicCatalog::find(const std::string& id) const {
    if (!is_topic_id(id)) return std::optional<Topic>();
    return rows_.find(key_of(id));
}

Answer<Topic> TopicCatalog::require(const std::string& id) const {
    auto found = TRY(find(id));
    if (!found) return Refusal::not_found("there is no topic " + id);
    return *std::move(found);
}

Result<table::Slice<Topic>> TopicCatalog::page(const table::PageWish& wish) const {
    return rows_.page(rows_.query().partition("PK", partition).consistent(), wish);
}

Result<std::vector<Topic>> TopicCatalog::all() const {
    return rows_.whole(rows_.query().partition("PK", partition).consistent());
}

Answer<Topic> TopicCatalog::save(const std::string& id, const TopicDetails& details) const {
    if (!is_topic_id(id)) {
        return BadField{"id",
                        "must be 1 to 64 lower-case letters, digits, ., _ or -, and begin "
                        "with a letter or a digit"};
    }
    return settled(store_.pauses(race_pauses), [&] { return save_once(id, details); });
}

Answer<Topic> TopicCatalog::save_once(const std::string& id, const TopicDetails& details) const {
    auto topic = TRY(find(id)).value_or(Topic());
    if (topic.version == 0 && TRY(all()).size() >= topics_max) {
        return Refusal(Refusal::Kind::too_many, "there are 200 topics already");
    }
    topic.id = id;
    topic.details = details;
    topic.updated = clock_.now();
    if (topic.version == 0) topic.created = topic.updated;
    table::write::Transaction together;
    rows_.save(together, topic);
    const auto saved = store_.transact(together);
    if (saved) return topic;
    const Error error = saved.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

Answer<> TopicCatalog::remove(const std::string& id) const {
    TRY(require(id));
    TRY(store_.erase(table::write::Erase(rows_.table(), key_of(id))));
    return Ok{};
}

}  // namespace mailroom::people
