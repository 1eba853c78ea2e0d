#include "people/change_writer.h"

#include "base/hex.h"
#include "base/refusal.h"
#include "base/time_format.h"
#include "table/failure.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace mailroom::people {

namespace {

using table::Value;

constexpr std::size_t actions_max = 100;  // Of a transaction: DynamoDB's limit.
constexpr std::string_view erased = "erased";

Value list_of(const std::vector<std::string>& texts) {
    return Value::list(std::vector<Value>(texts.begin(), texts.end()));
}

bool has(const std::vector<std::string>& tags, const std::string& tag) {
    return std::ranges::find(tags, tag) != tags.end();
}

// Writes one change; made for that.
class ChangeWriter {
public:
    ChangeWriter(const Books& books, SuppressionRows& rows, schedule::Transaction& to,
                 std::string_view canonical, const std::optional<Profile>& before, Change change)
        : books_(books),
          rows_(rows),
          to_(to),
          canonical_(canonical),
          before_(before),
          change_(std::move(change)),
          now_(format_rfc3339(books.clock.now())) {}

    Result<> write() {
        if (!before_ && TRY(is_of_the_erased())) return Ok{};
        if (!before_ && !change_.makes_nobody) TRY(hold_on_to_the_list());
        if (is_about_nobody()) {
            to_.check(books_.tables.audience, profile_key(canonical_)).if_absent("PK");
        } else if (change_.touches_profile()) {
            write_profile();
        }
        write_tags();
        write_list();
        write_trail();
        if (to_.size() > actions_max) {
            return Error{Errc::invalid, "more changes at once than one transaction holds"};
        }
        return Ok{};
    }

private:
    bool is_about_nobody() const { return !before_ && change_.makes_nobody; }

    // Somebody new may be somebody who was erased: what is remembered of them holds on. True if
    // there is nothing to be said that is not known, because they are not to become a person again.
    Result<bool> is_of_the_erased() {
        const auto extents = TRY(rows_.hashed_extents(canonical_));
        if (extents.empty()) return false;
        if (change_.only_says_no()) {
            put_noes_hashed();
            return true;
        }
        if (change_.makes_nobody) {
            for (const auto& topic : change_.topics) {
                rows_.erase(to_, canonical_, Extent::of_topic(topic.first));
            }
            return true;
        }
        for (const auto& extent : extents) {
            if (extent.is_every() && !change_.suppressed) change_.suppressed = true;
            if (extent.stream() == Stream::bulk && !change_.unsubscribed)
                change_.unsubscribed = true;
            const auto topic = extent.topic();
            if (topic) change_.topics.try_emplace(std::string(*topic), TopicState::out);
        }
        change_.reason = erased;
        return false;
    }
    void put_noes_hashed() {
        if (change_.suppressed) put_hashed(Extent::every());
        if (change_.unsubscribed) put_hashed(Stream::bulk);
        for (const auto& topic : change_.topics) put_hashed(Extent::of_topic(topic.first));
    }

    // Somebody new may have the address of somebody who has another one now: what was said of mail
    // to it holds on, in the profile, too.
    Result<> hold_on_to_the_list() {
        for (const auto& listed : TRY(rows_.listed(canonical_))) {
            if (listed.extent.is_every() && !change_.suppressed) {
                change_.suppressed = true;
                change_.reason = listed.reason;
            }
            if (listed.extent.stream() == Stream::bulk && !change_.unsubscribed) {
                change_.unsubscribed = true;
            }
            const auto topic = listed.extent.topic();
            if (topic) change_.topics.try_emplace(std::string(*topic), TopicState::out);
        }
        return Ok{};
    }

    void write_profile() {
        auto& update = to_.update(books_.tables.audience, profile_key(canonical_));
        set_conditions(update);
        set_identity(update);
        set_description(update);
        set_flag(update, "unsubscribed", change_.unsubscribed);
        if (change_.unsubscribed == true) update.set(mark_column, mark());
        if (change_.unsubscribed == false) update.remove(mark_column);
        set_flag(update, "suppressed", change_.suppressed);
        if (!change_.heard.empty()) update.set(heard_column, change_.heard);
        set_topics(update);
        if (change_.may_track) update.set("mailroomTracking", *change_.may_track);
        update.set("updatedAt", now_);
        // Whatever another program made of it, it is a number from now on.
        const auto version = before_ ? before_->row.find("mailroomVersion") : std::nullopt;
        if (!version || version->kind() == table::Kind::number) {
            update.add("mailroomVersion", 1);
        } else {
            update.set("mailroomVersion", 1);
        }
    }

    void set_conditions(table::write::Update& update) const {
        if (!before_ && !change_.only_refuses()) update.if_absent("PK");
        if (!before_) return;
        update.if_present("PK");
        if (change_.only_refuses() && !change_.as_read) return;
        rest_on(update, "mailroomVersion");
        if (change_.tags) rest_on(update, "tags");
        if (!change_.topics.empty()) rest_on(update, "mailroomTopics");
    }
    // That it is as it was read.
    void rest_on(table::write::Update& update, std::string_view column) const {
        const auto value = before_->row.find(column);
        if (value) update.when(column, Value(*value));
        if (!value) update.if_absent(column);
    }

    void set_identity(table::write::Update& update) const {
        const auto given = change_.given.empty() ? canonical_ : change_.given;
        if (change_.email) {
            update.set("email", *change_.email);
        } else {
            update.set_if_absent("email", given);
        }
        if (change_.first_name) {
            update.set("firstName", *change_.first_name);
        } else {
            update.set_if_absent("firstName", "");
        }
        update.set_if_absent("createdAt", now_);
        if (!change_.source.empty()) update.set_if_absent("mailroomSource", change_.source);
    }

    void set_description(table::write::Update& update) const {
        for (const auto field : change_.attributes.view()) {
            update.set(field.name, Value(field.value));
        }
        for (const auto& name : change_.dropped_attributes) update.remove(name);
        set_text(update, "mailroomZone", change_.zone);
        set_text(update, "mailroomLanguage", change_.language);
        if (change_.tags && change_.tags->empty()) update.remove("tags");
        if (change_.tags && !change_.tags->empty()) update.set("tags", list_of(*change_.tags));
        if (change_.tags_to_come) {
            update.set("mailroomTagsToCome", list_of(*change_.tags_to_come));
        } else if (change_.tags_have_come) {
            update.remove("mailroomTagsToCome");
        }
    }
    static void set_text(table::write::Update& update, std::string_view column,
                         const std::optional<std::string>& text) {
        if (!text) return;
        if (text->empty()) update.remove(column);
        if (!text->empty()) update.set(column, *text);
    }

    static void set_flag(table::write::Update& update, std::string_view flag,
                         const std::optional<bool>& wanted) {
        if (wanted) update.set(flag, *wanted);
        if (!wanted) update.set_if_absent(flag, false);
    }

    void set_topics(table::write::Update& update) const {
        if (change_.topics.empty()) return;
        auto all = before_ ? before_->topics : Topics();
        for (const auto& [id, state] : change_.topics) {
            if (state) all[id] = *state;
            if (!state) all.erase(id);
        }
        table::Item column;
        for (const auto& [id, state] : all) column.set(id, Value(mailroom::name_of(state)));
        if (all.empty()) update.remove("mailroomTopics");
        if (!all.empty()) update.set("mailroomTopics", Value::map(column));
    }

    void write_tags() {
        if (!change_.tags) return;
        const auto before = before_ ? before_->tags : std::vector<std::string>();
        for (const auto& tag : *change_.tags) {
            if (!has(before, tag) || tag == change_.sure_tag) put_tag(tag);
        }
        for (const auto& tag : before) {
            if (!has(*change_.tags, tag)) erase_tag(tag);
        }
        const auto& sure = change_.sure_tag;
        if (!sure.empty() && !has(before, sure) && !has(*change_.tags, sure)) erase_tag(sure);
    }
    void erase_tag(const std::string& tag) {
        to_.erase(books_.tables.audience, tag_key(tag, canonical_));
    }
    // One that is there without the profile's knowledge keeps its time.
    void put_tag(const std::string& tag) {
        to_.update(books_.tables.audience, tag_key(tag, canonical_))
            .set("email", canonical_)
            .set_if_absent("taggedAt", now_);
    }

    void write_list() {
        if (change_.suppressed) {
            list(Extent::every(), *change_.suppressed, change_.reason);
            write_suppression(*change_.suppressed);
        }
        if (change_.unsubscribed) list(Stream::bulk, *change_.unsubscribed, change_.reason);
        if (change_.refuses_transactional) {
            list(Stream::transactional, *change_.refuses_transactional, change_.reason);
        }
        for (const auto& [id, state] : change_.topics) {
            const bool is_pending = state == TopicState::pending;
            list(Extent::of_topic(id), is_pending || state == TopicState::out,
                 is_pending ? "not confirmed yet" : change_.reason);
        }
    }
    void list(const Extent& extent, bool is_refused, const std::string& reason) {
        if (!is_refused) return rows_.erase(to_, canonical_, extent);
        rows_.put(to_, canonical_,
                  {.address = change_.given.empty() ? canonical_ : change_.given,
                   .extent = extent,
                   .reason = reason,
                   .source = change_.evidence.source,
                   .at = books_.clock.now(),
                   .mark = extent.stream() == Stream::bulk ? mark() : ""});
    }
    // Of this no: nobody who has not read it can have it.
    const std::string& mark() {
        constexpr std::size_t mark_bytes = 8;
        if (mark_.empty()) mark_ = hex_encode(random_bytes(books_.random, mark_bytes));
        return mark_;
    }
    void put_hashed(const Extent& extent) {
        rows_.put_hashed(to_, canonical_,
                         {.address = {},
                          .extent = extent,
                          .reason = change_.reason,
                          .source = change_.evidence.source,
                          .at = books_.clock.now()});
    }

    void write_suppression(bool is_suppressed) {
        if (!is_suppressed) {
            to_.erase(books_.tables.audience, suppression_key(canonical_));
            return;
        }
        if (change_.has_suppression_row) return;
        auto row = suppression_key(canonical_);
        row.set("reason", Value(change_.reason));
        row.set("recordedAt", Value(now_));
        row.set("suppressedAt", Value(now_));
        const bool is_complaint = change_.reason == "complaint";
        const std::string type = change_.bounce_type.empty() ? "Permanent" : change_.bounce_type;
        row.set("type", Value(is_complaint ? "Complaint" : type));
        if (!change_.bounce_type.empty()) row.set("bounceType", Value(change_.bounce_type));
        if (!change_.notification_id.empty()) {
            row.set("sesNotificationId", Value(change_.notification_id));
        }
        to_.put(books_.tables.audience, std::move(row));
    }

    void write_trail() {
        const auto was = [&](bool flag, const char* yes, const char* no) {
            return before_ ? (flag ? yes : no) : "";
        };
        const bool is_new = !before_ && !change_.makes_nobody && change_.touches_profile();
        if (change_.unsubscribed || is_new) {
            tell("mail", was(before_ && before_->unsubscribed, "unsubscribed", "subscribed"),
                 change_.unsubscribed.value_or(false) ? "unsubscribed" : "subscribed");
        }
        if (change_.suppressed) {
            tell("all", was(before_ && before_->suppressed, "suppressed", "allowed"),
                 *change_.suppressed ? "suppressed" : "allowed");
        }
        if (change_.refuses_transactional) {
            tell("transactional", "", *change_.refuses_transactional ? "suppressed" : "allowed");
        }
        if (change_.may_track) {
            tell("tracking", was(before_ && before_->may_track, "in", "out"),
                 *change_.may_track ? "in" : "out");
        }
        for (const auto& [id, state] : change_.topics) {
            tell("topic:" + id, topic_before(id),
                 state ? std::string(mailroom::name_of(*state)) : "");
        }
    }
    std::string topic_before(const std::string& id) const {
        if (!before_) return "";
        const auto found = before_->topics.find(id);
        return found == before_->topics.end() ? "" : std::string(mailroom::name_of(found->second));
    }
    // Nothing of what stays as it was; but who says no again has said it.
    void tell(std::string what, const std::string& from, std::string to) {
        const bool is_said_again = to == "unsubscribed" || to == "out";
        if (from == to && !is_said_again) return;
        if (to == "suppressed") to += ": " + change_.reason;
        books_.trail.add(to_, canonical_,
                         {.what = std::move(what),
                          .from = from,
                          .to = std::move(to),
                          .evidence = change_.evidence});
    }

    const Books& books_;
    SuppressionRows& rows_;
    schedule::Transaction& to_;
    const std::string canonical_;
    const std::optional<Profile>& before_;
    Change change_;
    const std::string now_;
    std::string mark_;
};

}  // namespace

Result<std::optional<Profile>> find_profile(const Books& books, std::string_view canonical) {
    const auto row = TRY(books.get(books.tables.audience, profile_key(canonical)));
    if (!row) return std::optional<Profile>();
    return std::optional(TRY(read_profile(*row)));
}

Result<> add_change(const Books& books, SuppressionRows& rows, schedule::Transaction& transaction,
                    std::string_view canonical, const std::optional<Profile>& before,
                    const Change& change) {
    return ChangeWriter(books, rows, transaction, canonical, before, change).write();
}

Result<> add_allowance(const Books& books, SuppressionRows& rows,
                       schedule::Transaction& transaction, std::string_view canonical,
                       const std::optional<Profile>& before, const std::vector<table::Item>& listed,
                       const Evidence& evidence) {
    Change change{.unsubscribed = false, .suppressed = false, .evidence = evidence};
    for (const auto& row : listed) {
        const auto extent = Extent::parse(row.text("Stream").value_or(""));
        if (!extent) continue;
        if (const auto topic = extent->topic()) change.topics[std::string(*topic)] = std::nullopt;
        if (extent->stream() == Stream::transactional) change.refuses_transactional = false;
    }
    if (before) return add_change(books, rows, transaction, canonical, before, change);
    // Who comes back meanwhile has the refusals with them.
    transaction.check(books.tables.audience, profile_key(canonical)).if_absent("PK");
    for (const auto& row : listed) {
        transaction.erase(books.tables.suppressions,
                          {{"Address", *row.text("Address")}, {"Stream", *row.text("Stream")}});
    }
    books.trail.add(transaction, canonical,
                    {.what = "all", .from = "suppressed", .to = "allowed", .evidence = evidence});
    return Ok{};
}

Result<> until_won(table::Store& store,
                   const std::function<Result<>(schedule::Transaction&)>& attempt) {
    auto pauses = store.pauses(race_pauses);
    for (;;) {
        schedule::Transaction together;
        TRY(attempt(together));
        if (together.empty()) return Ok{};
        const auto sealed = std::move(together).seal();
        const auto written = store.transact(sealed.request);
        if (written) {
            for (const auto& done : sealed.done) done();
            return Ok{};
        }
        const Error error = written.error();
        const bool is_lost = error.code == Errc::conflict || table::is_temporary(written.error());
        if (!is_lost || !pauses.again()) return error;
    }
}

}  // namespace mailroom::people
