// The list of who must not be written to, as rows.
//
//   MailroomSuppressions   Address S (canonical)   Stream S (an Extent: "*", "bulk", "topic:news")
//                          Reason S   At N (ms)   Given S (the address as it was given)
//                          Source S (who says so: "api", "link", "audience": another program)
//                          Mark S (of "bulk": see profile.h)
//   An address whose person was erased is kept as "sha256:" and the hash of its canonical form in
//   hexadecimal, without Given. A row without a Source is older than profiles are.
// On disk: never change.
#pragma once

#include "people/address_filter.h"
#include "people/books.h"
#include "people/mail_kind.h"
#include "schedule/transaction.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct Suppression {
    std::string address;  // As it was given.
    Extent extent = Extent::every();
    std::string reason;  // "bounce", "complaint", "request": a word or a sentence.
    std::string source;
    Time at;
    std::string mark = {};  // That the profile has as long as it is the one that stands there.

    std::optional<Stream> stream() const { return extent.stream(); }
    std::string topic() const { return std::string(extent.topic().value_or("")); }
};

std::string hashed_address(std::string_view canonical);
table::Item suppression_row_key(std::string_view address, const Extent& extent);
// `corrupt` if it is none of ours.
Result<Suppression> read_suppression(const table::ItemView& row);

// Thread-safe.
class SuppressionRows {
public:
    explicit SuppressionRows(const Books& books);

    // Of a canonical address; replaces an earlier one. It is noted as listed before it is.
    void put(schedule::Transaction& transaction, std::string_view canonical,
             const Suppression& suppression);
    // The same for somebody who is forgotten: by the hash of their address.
    void put_hashed(schedule::Transaction& transaction, std::string_view canonical,
                    const Suppression& suppression);
    // In both forms.
    void erase(schedule::Transaction& transaction, std::string_view canonical,
               const Extent& extent);
    // In both forms, as they are now.
    Result<std::vector<table::Item>> of(std::string_view canonical) const;

    // What is remembered of the address by its hash.
    Result<std::vector<Extent>> hashed_extents(std::string_view canonical) const;
    // What is listed under the address itself, though nobody may be there: they may have another
    // one by now.
    Result<std::vector<Suppression>> listed(std::string_view canonical) const;

    // What is known here without asking: see AddressFilter.
    void note(std::string_view canonical) { noted_->add(canonical); }
    bool may_be_listed(std::string_view canonical) const {
        return noted_->may_have(canonical) || may_be_hashed(canonical);
    }
    bool may_be_hashed(std::string_view canonical) const {
        return any_hashed_ && noted_->may_have(hashed_address(canonical));
    }
    // False if all that is listed is noted, and this is not.
    bool must_be_asked_for(std::string_view canonical) const {
        return !knows_all_ || may_be_listed(canonical);
    }
    // Whether may_be_listed() says no for certain.
    bool knows_all() const { return knows_all_; }
    // Notes all that are listed.
    Result<> read_all();

private:
    Result<std::vector<table::Item>> rows_of(const std::string& address) const;

    const Books& books_;
    std::unique_ptr<AddressFilter> noted_;
    std::atomic<bool> any_hashed_ = false;
    bool knows_all_ = false;
};

}  // namespace mailroom::people
