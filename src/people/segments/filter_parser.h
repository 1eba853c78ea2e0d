// Reads a filter's text by recursive descent: see filter_text.h for the grammar.
#pragma once

#include "people/segments/filter.h"
#include "people/segments/filter_tokens.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

class FilterParser {
public:
    explicit FilterParser(std::string_view text) : tokens_(text) {}
    Result<Filter, FilterMistake> read();

private:
    template <class T>
    using Read = Result<T, FilterMistake>;
    using Kind = FilterToken::Kind;

    Read<Ok> advance();
    // Whether the present token is that word, in any case, or that sign.
    bool is_at(std::string_view word) const;
    // Goes on behind it, if it is there.
    Read<bool> take(std::string_view word);
    Read<Ok> expect(std::string_view word, std::string_view after);
    FilterMistake wrong(std::string why) const;
    std::string here() const;  // For people: what stands here.

    Read<Filter> filter(std::size_t depth);
    Read<Filter> both(std::size_t depth);
    Read<Filter> one(std::size_t depth);
    Read<Filter> negated(std::size_t depth);
    Read<Filter> group(std::size_t depth);
    Read<Filter> test();
    Read<Filter> named_test(std::string_view what);
    Read<Filter> did(Deed deed);
    Read<Filter> did_since(Did did);
    Read<std::optional<Mails>> mails(Deed deed);
    Read<std::int64_t> did_times();
    Read<TopicState> topic_state();
    Read<Filter> of_attribute(const Path& path);
    Read<Filter> rest_of_test(const Path& path);
    Read<Filter> any_rest_of_test(const Path& path);
    Read<Filter> compared(const Path& path, std::string_view sign);
    Read<Filter> between(const Path& path);
    Read<Filter> is_something(const Path& path);
    Read<Filter> letters(const Path& path, Comparison how);
    Read<Filter> one_of(const Path& path);
    Read<Filter> bare(const Path& path, std::size_t at);

    Read<Path> path();
    Read<std::string> quoted(std::string_view after);
    Read<Scalar> value(std::string_view after);
    Read<Scalar> figure(std::string_view after);
    Read<Moment> moment(std::string_view after);
    // "30 days"
    Read<Moment> duration(std::string_view figure);
    Read<std::vector<Scalar>> list();

    FilterTokens tokens_;
    FilterToken token_;
};

}  // namespace mailroom::people
