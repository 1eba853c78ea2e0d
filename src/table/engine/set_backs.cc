#include "table/engine/set_backs.h"

#include "kv/key.h"
#include "table/engine/core.h"
#include "table/engine/definition_change.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

void SetBack::add_to(kv::Batch& batch) const {
    std::string value;
    kv::append_u64(value, static_cast<std::uint64_t>(to_unix_ms(at)));
    batch.put(set_back_key(before), value);
}

Result<SetBacks> SetBacks::read(const kv::Store& kv, const kv::Snapshot* snapshot) {
    const std::string from(1, static_cast<char>(Space::set_back));
    const auto cursor = kv.scan(from, kv::after_prefix(from), snapshot);
    SetBacks read;
    for (cursor->seek(from); cursor->valid(); cursor->next()) {
        std::string_view key = cursor->key().substr(1), value = cursor->value();
        const auto before = kv::read_u64(key), at = kv::read_u64(value);
        if (!before || !at) return Error{Errc::corrupt, "a row of moments cannot be read"};
        read.all_.push_back({*before, from_unix_ms(static_cast<std::int64_t>(*at))});
    }
    TRY(cursor->status());
    return read;
}

Time SetBacks::real_moment(std::uint64_t sequence, Time recorded) const {
    for (const auto& set_back : all_) {
        if (sequence < set_back.before) recorded = std::min(recorded, set_back.at);
    }
    return recorded;
}

Outcome<> follow_clock(Core& core) {
    kv::Batch batch;
    const auto last = core.streams.add_set_backs(core.clock.now(), batch);
    if (!last) return Ok{};
    TRY(queue_commit(core, batch).get());
    core.streams.settle_set_backs(*last);
    return Ok{};
}

}  // namespace mailroom::table
