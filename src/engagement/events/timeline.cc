#include "engagement/events/timeline.h"

#include "base/base64.h"
#include "table/query_builder.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t sources = 3;

std::string text_of(const table::ItemView& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

void take_mail(Moment& moment, const table::ItemView& row) {
    moment.subject = text_of(row, "subject");
    moment.template_key = text_of(row, "templateKey");
    moment.sequence_id = text_of(row, "sequenceId");
    moment.mail_id = text_of(row, "mailroomMailId");
}

Moment sent_moment(const table::ItemView& row) {
    Moment moment;
    moment.what = name_of(EventType::sent);
    take_mail(moment, row);
    return moment;
}

Moment event_moment(const table::ItemView& row) {
    Moment moment;
    moment.what = text_of(row, "eventType");
    take_mail(moment, row);
    moment.link_url = text_of(row, "linkUrl");
    moment.reason = text_of(row, "reason");
    if (moment.reason.empty()) moment.reason = text_of(row, "diagnostic");
    moment.is_machine = row.boolean("machine").value_or(false);
    return moment;
}

Moment consent_moment(const table::ItemView& row) {
    Moment moment;
    moment.what = "consent";
    moment.about = text_of(row, "what");
    moment.from = text_of(row, "from");
    moment.to = text_of(row, "to");
    moment.source = text_of(row, "source");
    return moment;
}

// Where each of them goes on, one after the other: the sort key that was shown last, or nothing.
//   cursor := base64url( text "\n" text "\n" text )
std::string cursor_of(const std::array<std::string, sources>& shown) {
    return base64url_encode(shown[0] + "\n" + shown[1] + "\n" + shown[2]);
}

Result<std::array<std::string, sources>> parse_cursor(const std::string& cursor) {
    constexpr std::size_t bytes_max = 3 * 1100;  // A sort key has at most 1024.
    const auto text = base64url_decode(cursor);
    if (!text || text->size() > bytes_max || std::ranges::count(*text, '\n') != sources - 1) {
        return table::wrong_cursor();
    }
    std::array<std::string, sources> shown;
    std::size_t begin = 0;
    for (auto& one : shown) {
        const auto end = std::min(text->find('\n', begin), text->size());
        one = text->substr(begin, end - begin);
        begin = end + 1;
    }
    return shown;
}

}  // namespace

// One of the lists that are laid into one another, as far as it was read.
struct Timeline::Source {
    std::string table, partition, prefix;
    Moment (*read)(const table::ItemView& row);
    std::string shown;  // The sort key that was shown last.
    std::deque<table::Item> rows = {};

    // Texts of the same form: the later one is larger.
    std::string next_time() const {
        const auto sort = rows.front().text(rows::sort_key).value_or("");
        return std::string(sort.substr(std::min(prefix.size(), sort.size())));
    }
    Moment take() {
        auto moment = read(rows.front());
        constexpr std::size_t time_chars = std::string_view("2026-01-15T10:00:00.000Z").size();
        moment.at = next_time().substr(0, time_chars);
        shown = text_of(rows.front(), rows::sort_key);
        rows.pop_front();
        return moment;
    }
};

Result<std::vector<Timeline::Source>> Timeline::sources_of(std::string_view canonical,
                                                           const table::PageWish& wish) const {
    std::array<std::string, sources> shown;
    if (wish.after) shown = TRY(parse_cursor(*wish.after));
    const auto person = rows::person(canonical);
    std::vector<Source> all = {
        {tables_.audience, person, std::string(rows::sent_prefix), sent_moment, shown[0]},
        {tables_.events, person, std::string(rows::event_prefix), event_moment, shown[1]},
        {tables_.people, people::ConsentTrail::partition_of(canonical), "", consent_moment,
         shown[2]}};
    for (const auto& source : all) {
        if (!source.shown.empty() && !source.shown.starts_with(source.prefix)) {
            return table::wrong_cursor();
        }
    }
    return all;
}

Result<> Timeline::read(Source& source, std::size_t limit) const {
    std::optional<table::Item> after;
    if (!source.shown.empty()) after = rows::key(source.partition, source.shown);
    do {
        auto query = table::from(source.table);
        query.partition(rows::partition_key, source.partition).newest_first().consistent();
        if (!source.prefix.empty()) query.begins_with(rows::sort_key, source.prefix);
        query.limit(static_cast<std::int64_t>(limit - source.rows.size())).after(std::move(after));
        auto page = TRY(store_.query(query));
        for (auto& row : page.items) source.rows.push_back(std::move(row));
        after = std::move(page.last_key);
    } while (after && source.rows.size() < limit);
    return Ok{};
}

Result<table::Slice<Moment>> Timeline::of(std::string_view canonical,
                                          const table::PageWish& wish) const {
    auto all = TRY(sources_of(canonical, wish));
    // One more of each: whether anything follows.
    for (auto& source : all) TRY(read(source, wish.limit + 1));
    table::Slice<Moment> slice;
    const auto has_rows = [](const Source& source) { return !source.rows.empty(); };
    while (slice.items.size() < wish.limit && std::ranges::any_of(all, has_rows)) {
        const auto next = std::ranges::max_element(all, {}, [](const Source& source) {
            return source.rows.empty() ? std::string() : source.next_time();
        });
        slice.items.push_back(next->take());
    }
    if (std::ranges::any_of(all, has_rows)) {
        slice.next = cursor_of({all[0].shown, all[1].shown, all[2].shown});
    }
    return slice;
}

}  // namespace mailroom::engagement
