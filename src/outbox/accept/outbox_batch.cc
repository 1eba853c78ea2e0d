// Accepting many mails in few commits.
#include "base/ids.h"
#include "outbox/accept/outbox.h"

#include <unordered_set>

namespace mailroom::outbox {

namespace {

// Each takes eight of the hundred actions that a transaction may have.
constexpr std::size_t mails_in_commit_max = 12;
// DynamoDB takes 4 MB; keys, envelopes and indexes need some of it.
constexpr std::size_t commit_bytes_max = 3 * 1024 * 1024;

}  // namespace

class Outbox::Batch {
public:
    Batch(Outbox& outbox, const std::vector<Item>& items)
        : outbox_(outbox), items_(items), answers_(items.size()) {}

    std::vector<Result<Accepted, Refusal>> accept() {
        std::unordered_set<std::string_view> seen;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const auto& id = items_[i].request.id;
            if (!id || seen.insert(*id).second) consider(i);
        }
        commit();
        std::vector<Result<Accepted, Refusal>> results;
        results.reserve(items_.size());
        for (std::size_t i = 0; i < items_.size(); ++i) {
            // Of equal ids the first is decided by now, and the others are compared with it.
            if (!answers_[i]) answers_[i] = outbox_.accept(items_[i].request, items_[i].payload);
            results.push_back(std::move(*answers_[i]));
        }
        return results;
    }

private:
    using Answer = Result<Accepted, Refusal>;
    struct Waiting {
        std::size_t index;
        NewMail made;
    };

    void consider(std::size_t index) {
        const auto& [request, payload] = items_[index];
        auto id = request.id ? *request.id : make_uuid(outbox_.clock_, outbox_.random_);
        auto made = outbox_.prepare(request, std::move(id), payload);
        if (!made) {
            answers_[index] = Answer(std::move(made).error());
            return;
        }
        const auto bytes = payload.size() + made->message.size();
        if (group_.size() == mails_in_commit_max || group_bytes_ + bytes > commit_bytes_max) {
            commit();
        }
        group_bytes_ += bytes;
        group_.push_back({index, std::move(*made)});
    }

    void commit() {
        if (group_.size() == 1 || !commit_together()) {
            for (auto& [index, made] : group_) answers_[index] = outbox_.store(made);
        }
        group_.clear();
        group_bytes_ = 0;
    }

    bool commit_together() {
        schedule::Transaction transaction;
        for (auto& waiting : group_) {
            if (!outbox_.add(transaction, waiting.made)) return false;
        }
        if (transaction.empty()) return true;
        if (!outbox_.schedule_.commit(transaction)) return false;
        for (const auto& [index, made] : group_) {
            answers_[index] = Answer(Accepted{made.mail.id, made.mail.state});
        }
        outbox_.waiting_ += static_cast<std::int64_t>(group_.size());
        return true;
    }

    Outbox& outbox_;
    const std::vector<Item>& items_;
    std::vector<std::optional<Answer>> answers_;
    std::vector<Waiting> group_;
    std::size_t group_bytes_ = 0;
};

std::vector<Result<Accepted, Refusal>> Outbox::accept_all(const std::vector<Item>& items) {
    if (is_full()) {
        const Refusal full{Refusal::Kind::full, "",
                           "Too many mails wait to be sent; try again later"};
        return std::vector<Result<Accepted, Refusal>>(items.size(), full);
    }
    return Batch(*this, items).accept();
}

}  // namespace mailroom::outbox
