// A job as a crew hands it out.
#pragma once

#include "schedule/board.h"
#include "schedule/core.h"
#include "schedule/job.h"
#include "schedule/rows.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace mailroom::schedule {

// Always held by a shared pointer; a transaction that names it holds it too. Its functions need the
// schedule; its end does not.
class HeldJob final : public Job, public std::enable_shared_from_this<HeldJob> {
public:
    HeldJob(Core& core, std::shared_ptr<Board> board, Row row, std::chrono::milliseconds lease);
    ~HeldJob() override;
    HeldJob(const HeldJob&) = delete;
    HeldJob& operator=(const HeldJob&) = delete;

    const Position& position() const override { return row_.position; }
    const table::Item& data() const override { return row_.data; }
    std::int64_t attempts() const override { return row_.attempts; }
    bool interrupted() const override { return row_.claim.has_value(); }
    std::string_view lease() const override;
    const std::vector<std::string>& marks() const override { return row_.marks; }

    // Writes the job itself, claimed.
    void begin(Transaction& transaction);
    void claim(Transaction& transaction) override;
    void claim(Transaction& transaction, const table::Item& data) override;
    void mark(std::string text, Then told) override;
    bool is_surely_held() const override;
    void commit(Transaction transaction, Then then, Then told) override;
    void finish(Transaction& transaction) override;
    Position move(Transaction& transaction, Time due) override;
    Position move(Transaction& transaction, NewJob next) override;
    void bury(Transaction& transaction, std::string_view reason) override;

    // Claims in a row that were never ended.
    std::int64_t unended_claims() const;

private:
    template <class Write>
    void only_if_held(Write& write) const;
    Claim new_claim() const {
        return {core_.new_lease(), core_.clock().now() + lease_, core_.steady().now() + lease_};
    }
    table::write::Update& add_claim(Transaction& transaction);
    void note_claim(Transaction& transaction, Claim claim);
    void note_end(Transaction& transaction);
    // With those of this holder.
    std::int64_t attempts_so_far() const { return row_.attempts + own_claims_; }

    Core& core_;
    const std::shared_ptr<Board> board_;
    const Row row_;
    const std::chrono::milliseconds lease_;
    std::optional<Claim> own_claim_;  // Committed.
    std::int64_t own_claims_ = 0;
    bool ended_ = false;
};

}  // namespace mailroom::schedule
