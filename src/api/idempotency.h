// One request, one effect: POSTs that carry an Idempotency-Key.
//
//   return idempotency.run(call, [&](const std::string& key) { … });
//
//   MailroomIdempotency   Key S: SHA-256 of the API key's id, the route and the header's value
//                         BodyHash S   State S ("running", "done")   StartedAt N (ms)
//                         Life S: of the process that began it   Attempt S: its number there
//                         Status N   Answer S   TTL N (Unix seconds)
#pragma once

#include "api/call.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "table/own_tables.h"
#include "table/store.h"
#include "table/write_builder.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::api {

// A request that is to have one effect, at its first or a later try.
class Once {
public:
    // Adds the answer to the transaction that is the effect; it is refused if the request was made
    // before.
    void keep_with(table::write::Transaction& together, const Response& answer) const;

private:
    friend class Idempotency;
    Once(const Call& call, const std::string& value, Time now, std::string life,
         std::string attempt);
    table::Item row(std::string_view state) const;
    table::Item done_row(const Response& answer) const;
    // Whether this attempt wrote the row: its answer may have been lost, and the write made twice.
    bool wrote(const table::Item& row) const;

    std::string key_, body_hash_, life_, attempt_;
    Time started_;
};

// Thread-safe.
class Idempotency {
public:
    static constexpr const char* table_name = "MailroomIdempotency";
    static constexpr std::chrono::seconds kept_for = std::chrono::hours(24);
    // Longer than any answer takes: whoever began is not there any more.
    static constexpr std::chrono::seconds running_max = std::chrono::seconds(60);

    // Who writes the table.
    enum class Writers {
        only_this,  // What an earlier process began is over.
        others,     // They may be at work still: it is over after `running_max`.
    };
    static table::OwnTable declared();
    // Makes the table when it is not there. All must outlive the result.
    static Result<Idempotency> open(table::Store& store, const Clock& clock, Random& random,
                                    Writers writers = Writers::only_this);

    static bool is_asked_for(const Call& call);

    // Runs `act` with the header's value, or none if the request has none. The same request again
    // gets the answer of the first, with `Idempotent-Replayed: true`; another body under the same
    // value, and the same while the first still runs, get 409. Answers of 5xx and 429 are not kept:
    // the request may be made again. What a process began that is not there any more runs again, so
    // `act` must do the same thing twice without harm. A value that is not 1 to 255 printable
    // ASCII characters gets
    // 400.
    using Act = std::function<Response(const std::optional<std::string>& value)>;
    Response run(const Call& call, const Act& act);

    // For requests whose effect is one transaction, which takes a third of the commits: whoever is
    // refused by keep_with() goes through run(), which knows the answer. None if the request asks
    // for nothing of this kind, or not in the right way.
    std::optional<Once> once(const Call& call) const;

private:
    Idempotency(table::Store& store, const Clock& clock, std::string life, Writers writers);
    Once attempt(const Call& call, const std::string& value) const;
    // The answer if the request must not run.
    std::optional<Response> begin(const Once& attempt);
    void end(const Once& attempt, const Response& response);

    table::Store* store_;
    const Clock* clock_;
    std::string life_;  // Of this process: no other has it.
    Writers writers_;
    std::unique_ptr<std::atomic<std::uint64_t>> attempts_;
};

}  // namespace mailroom::api
