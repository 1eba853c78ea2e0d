// Addresses that must not be written to.
//
//   MailroomSuppressions   Address S (canonical), Stream S ("*" or a stream's name)
//                          Reason S   At N (ms)   Given S (the address as it was given)
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "people/address_filter.h"
#include "people/permission.h"
#include "table/own_tables.h"
#include "table/store.h"
#include "table/write_builder.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

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
    static table::OwnTable declared(std::string table = "MailroomSuppressions");
    // Makes the table when it is not there. Both must outlive the result. If only the result writes
    // to the table, it knows most addresses that are not listed without asking for them; it reads
    // the whole list for that, some 500,000 addresses in a second. If others do, too, it knows
    // what it has seen here, which is no more than a hint.
    static Result<Suppressions> open(table::Store& store, const Clock& clock,
                                     Writers writers = Writers::others_too,
                                     std::string table = "MailroomSuppressions");

    // Replaces an earlier one. `invalid` if it is no address.
    Result<Suppression> add(std::string_view address, std::optional<Stream> stream,
                            std::string_view reason);
    // The same, as a part of the caller's transaction.
    Result<> add_to(table::write::Transaction& transaction, std::string_view address,
                    std::optional<Stream> stream, std::string_view reason);
    // The caller's transaction is a `conflict` if the stream may not write to the address by then.
    // `invalid` if it is no address.
    Result<> require_none(table::write::Transaction& transaction, Stream stream,
                          std::string_view address);
    // All of the address. Whether there was one.
    Result<bool> remove(std::string_view address);
    Result<std::vector<Suppression>> find(std::string_view address);
    // `invalid` if `after` is not what a page said.
    Result<SuppressionPage> list(std::size_t limit, const std::optional<std::string>& after);

    // Why the stream may not write to the address now; none if it may.
    Result<std::optional<std::string>> refusal(Stream stream, std::string_view address);
    Result<Refusals> refusals(Stream stream, const std::vector<std::string>& addresses) override;
    Result<Refusals> known_refusals(Stream stream,
                                    const std::vector<std::string>& addresses) override;
    // By conditions on the rows of the addresses, while they find room in a transaction. The only
    // writer adds none: it notes an address as listed before it writes that down, so whoever was
    // suppressed before the transaction was durable is found by the look after it. That costs a
    // few instructions for each address; a condition costs reading two rows.
    Sure require(table::write::Transaction& transaction, Stream stream,
                 const std::vector<std::string>& addresses) override;

private:
    Suppressions(table::Store& store, const Clock& clock, Writers writers, std::string table);
    // Notes the address as listed, before it is.
    Result<table::Item> row_of(const Suppression& suppression);
    Result<> read_addresses();
    enum class Look { at_all, at_noted };
    Result<Refusals> look(Stream stream, const std::vector<std::string>& addresses, Look look);

    table::Store* store_;
    const Clock* clock_;
    Writers writers_;
    std::string table_;
    // Noted as listed. Of the only writer all that are; else those that were seen to be.
    std::unique_ptr<AddressFilter> noted_;
};

}  // namespace mailroom::people
