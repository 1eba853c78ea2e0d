// Addresses that must not be written to.
//
//   MailroomSuppressions   Address S (canonical), Stream S ("*" or a stream's name)
//                          Reason S   At N (ms)   Given S (the address as it was given)
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "outbox/address_filter.h"
#include "outbox/permission.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct Suppression {
    std::string address;           // As it was given.
    std::optional<Stream> stream;  // None: every stream.
    std::string reason;            // "bounce", "complaint", "request": a word or a sentence.
    Time at;
};

struct SuppressionPage {
    std::vector<Suppression> items;
    std::optional<std::string> next;
};

// Thread-safe.
class Suppressions final : public Permission {
public:
    enum class Writers { others_too, only_this };
    // Makes the table when it is not there. Both must outlive the result. If only the result writes
    // to the table, it knows most addresses that are not listed without asking for them; it reads
    // the whole list for that, some 500,000 addresses in a second.
    static Result<Suppressions> open(table::Store& store, const Clock& clock,
                                     Writers writers = Writers::others_too,
                                     std::string table = "MailroomSuppressions");

    // Replaces an earlier one. `invalid` if it is no address.
    Result<Suppression> add(std::string_view address, std::optional<Stream> stream,
                            std::string_view reason);
    // The same, as a part of the caller's transaction.
    Result<> add_to(schedule::Transaction& transaction, std::string_view address,
                    std::optional<Stream> stream, std::string_view reason);
    // The caller's transaction is a `conflict` if the stream may not write to the address by then.
    // `invalid` if it is no address.
    Result<> require_none(schedule::Transaction& transaction, Stream stream,
                          std::string_view address);
    // All of the address. Whether there was one.
    Result<bool> remove(std::string_view address);
    Result<std::vector<Suppression>> find(std::string_view address);
    // `invalid` if `after` is not what a page said.
    Result<SuppressionPage> list(std::size_t limit, const std::optional<std::string>& after);

    Result<std::optional<std::string>> refusal(Stream stream, std::string_view address) override;

private:
    Suppressions(table::Store& store, const Clock& clock, std::string table);
    // Notes the address as listed, before it is.
    Result<table::Item> row_of(const Suppression& suppression);
    Result<> read_addresses();

    table::Store* store_;
    const Clock* clock_;
    std::string table_;
    std::unique_ptr<AddressFilter> listed_;  // None: everything is asked for.
};

}  // namespace mailroom::outbox
