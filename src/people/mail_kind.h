// What a mail is, for the question who may get it, and how much of our mail somebody does not want.
#pragma once

#include "people/stream.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::people {

// Who waits for a mail gets it whatever it is about, unless it is one that people refuse by its
// topic alone, as reminders to pay are.
enum class TopicCounts { for_bulk, always };

struct MailKind {
    Stream stream = Stream::transactional;
    std::string topic;  // Its id; empty: none.
    TopicCounts topic_counts = TopicCounts::for_bulk;

    MailKind(Stream its_stream, std::string its_topic = {},
             TopicCounts counts = TopicCounts::for_bulk)
        : stream(its_stream), topic(std::move(its_topic)), topic_counts(counts) {}
    // Whether a no to its topic stops it.
    bool heeds_topic() const {
        return !topic.empty() && (stream == Stream::bulk || topic_counts == TopicCounts::always);
    }
    bool operator==(const MailKind&) const = default;
};

// How much is not wanted: every mail, those of a stream, or those about a topic.
class Extent {
public:
    static Extent every() { return Extent("*"); }
    static Extent of_topic(std::string_view id) { return Extent("topic:" + std::string(id)); }
    Extent(Stream stream) : text_(name_of(stream)) {}
    // None: every mail.
    Extent(std::optional<Stream> stream) : Extent(stream ? Extent(*stream) : every()) {}
    // None for a text that is none.
    static std::optional<Extent> parse(std::string_view text);

    // "*", "bulk", "transactional" or "topic:{id}", as rows have it.
    const std::string& text() const { return text_; }
    bool is_every() const { return text_ == "*"; }
    std::optional<Stream> stream() const { return stream_named(text_); }
    std::optional<std::string_view> topic() const;
    // Whether a mail of that kind is meant.
    bool covers(const MailKind& kind) const;
    bool operator==(const Extent&) const = default;

private:
    explicit Extent(std::string text) : text_(std::move(text)) {}

    std::string text_;
};

}  // namespace mailroom::people
