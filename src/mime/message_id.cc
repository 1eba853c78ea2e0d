#include "mime/message_id.h"

#include "base/hex.h"
#include "base/text.h"
#include "mime/domain.h"

#include <algorithm>
#include <unordered_set>

namespace mailroom::mime {

namespace {

constexpr std::size_t random_bits = 128;  // Nobody can guess an id and join a conversation by it.

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }

bool is_separator(char c) { return c == '<' || c == '>' || c == ',' || c == '('; }

// Reads the ids of one field. Every byte is looked at a bounded number of times.
class Reader {
public:
    explicit Reader(std::string_view raw) : raw_(raw) {}

    std::vector<MessageId> read() {
        while (at_ < raw_.size()) {
            if (raw_[at_] == '<') {
                bracketed();
            } else if (raw_[at_] == '(') {
                comment();
            } else {
                word();
            }
        }
        if (!ids_.empty()) return std::move(ids_);
        for (const auto bare : words_) {
            if (bare.find('@') != bare.npos) add(std::string(bare));
        }
        if (ids_.empty() && words_.size() == 1) add(std::string(words_[0]));
        return std::move(ids_);
    }

private:
    // From `<` to `>`, without the white space that broken folding leaves inside. A second `<`
    // after some text begins another id: this one lost its `>`.
    void bracketed() {
        std::string id;
        bool quoted = false;
        for (++at_; at_ < raw_.size(); ++at_) {
            const char c = raw_[at_];
            if (c == '>' || (c == '<' && !id.empty())) break;
            if (c == '"') quoted = !quoted;
            if (c == '<' || (is_blank(c) && (!quoted || c != ' '))) continue;
            id += c;
        }
        while (at_ < raw_.size() && raw_[at_] == '>') ++at_;
        add(std::move(id));
    }

    // To its end; of a comment that has none, only the parenthesis is skipped.
    void comment() {
        const auto start = at_;
        std::size_t depth = 0;
        for (; at_ < raw_.size() && !comments_are_broken_; ++at_) {
            if (raw_[at_] == '\\') {
                ++at_;
            } else if (raw_[at_] == '(') {
                ++depth;
            } else if (raw_[at_] == ')' && --depth == 0) {
                ++at_;
                return;
            }
        }
        comments_are_broken_ = true;
        at_ = start + 1;
    }

    void word() {
        const auto start = at_;
        while (at_ < raw_.size() && !is_blank(raw_[at_]) && !is_separator(raw_[at_])) ++at_;
        if (at_ == start) {
            ++at_;
        } else {
            words_.push_back(raw_.substr(start, at_ - start));
        }
    }

    void add(std::string id) {
        if (id.empty() || id.size() > message_id_bytes_max) return;
        if (seen_.insert(ascii_lower(id)).second) ids_.push_back({std::move(id)});
    }

    std::string_view raw_;
    std::size_t at_ = 0;
    bool comments_are_broken_ = false;  // One has no end, so none is looked for again.
    std::vector<MessageId> ids_;
    std::unordered_set<std::string> seen_;
    std::vector<std::string_view> words_;  // Outside of brackets.
};

}  // namespace

std::string MessageId::canonical() const { return ascii_lower(value); }

std::string MessageId::bracketed() const { return "<" + value + ">"; }

std::vector<MessageId> parse_message_ids(std::string_view raw) { return Reader(raw).read(); }

std::vector<MessageId> trim_references(std::vector<MessageId> ids) {
    if (ids.size() <= first_ids_kept + last_ids_kept) return ids;
    ids.erase(ids.begin() + first_ids_kept, ids.end() - last_ids_kept);
    return ids;
}

MessageId make_message_id(Random& random, std::string_view domain) {
    const auto host = domain_to_ascii(domain);
    return {hex_encode(random_bytes(random, random_bits / 8)) + "@" + host.value_or("invalid")};
}

}  // namespace mailroom::mime
