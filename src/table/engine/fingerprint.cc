#include "table/engine/fingerprint.h"

#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/rows.h"

#include <openssl/sha.h>

#include <array>

namespace mailroom::table {

namespace {

// Every part with its length in front, so that no two requests have the same text.
class Text {
public:
    Text& add(std::string_view part) {
        append_length(text_, part.size());
        text_ += part;
        return *this;
    }
    Text& add(const Bindings& bindings) {
        append_length(text_, bindings.names.size());
        for (const auto& [placeholder, name] : bindings.names) add(placeholder).add(name);
        append_length(text_, bindings.values.size());
        for (const auto& [placeholder, value] : bindings.values) {
            add(placeholder).add(value.encoded());
        }
        return *this;
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void add(Text& text, const PutItem& put) {
    text.add("put").add(put.table).add(put.item.bytes()).add(put.condition).add(put.bind);
}
void add(Text& text, const UpdateItem& update) {
    text.add("update").add(update.table).add(update.key.bytes()).add(update.update);
    text.add(update.condition).add(update.bind);
}
void add(Text& text, const DeleteItem& erase) {
    text.add("delete").add(erase.table).add(erase.key.bytes()).add(erase.condition);
    text.add(erase.bind);
}
void add(Text& text, const ConditionCheck& check) {
    text.add("check").add(check.table).add(check.key.bytes()).add(check.condition);
    text.add(check.bind);
}

void add(Text& text, const Addition& addition) {
    text.add("add").add(addition.table).add(addition.key.bytes());
    for (const auto& [name, by] : addition.numbers) text.add(name).add(std::to_string(by));
}

}  // namespace

std::string fingerprint(const TransactWrite& request) {
    Text text;
    for (const auto& action : request.actions) {
        std::visit([&](const auto& write) { add(text, write); }, action);
    }
    for (const auto& addition : request.additions) add(text, addition);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
    SHA256(reinterpret_cast<const unsigned char*>(text.text().data()), text.text().size(),
           digest.data());
    return {digest.begin(), digest.end()};
}

Outcome<> forget_tokens(Core& core, std::size_t limit) {
    const auto now = static_cast<std::uint64_t>(to_unix_ms(core.clock.now()));
    const std::string from(1, static_cast<char>(Space::token_end));
    const auto cursor = core.kv.scan(from, token_end_key(now, {}));
    std::vector<std::string> ends, rows;
    for (cursor->seek(from); cursor->valid() && ends.size() < limit; cursor->next()) {
        std::string_view in = cursor->key().substr(1);
        kv::read_u64(in);
        rows.push_back(token_key(kv::read_text(in).value_or("")));
        ends.emplace_back(cursor->key());
    }
    if (auto status = cursor->status(); !status) return from_storage(status.error());
    if (ends.empty()) return Ok{};

    std::future<Outcome<>> committed;
    {
        const std::vector<Pending::Key> keys(rows.begin(), rows.end());
        const Pending::Lock lock(core.pending, keys);
        kv::Batch batch;
        for (const auto& key : keys) {
            // The token may have been used again since: then it has a later end.
            const auto stored = core.kv.get(key.text);
            if (!stored) return from_storage(stored.error());
            std::string_view value = *stored ? std::string_view(**stored) : std::string_view();
            const auto* known = core.pending.find(key);
            const bool is_queued = known && known->is_queued();
            if (!is_queued && kv::read_u64(value) < now) batch.erase(key.text);
        }
        for (const auto& end : ends) batch.erase(end);
        committed = queue_commit(core, batch);
    }
    return committed.get();
}

}  // namespace mailroom::table
