// Who must not be written to: the list itself (suppression_rows.h), and the flags of the profiles
// that say the same, which other programs set and read.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "people/books.h"
#include "people/change.h"
#include "people/consent/evidence.h"
#include "people/permission.h"
#include "people/spellings.h"
#include "people/suppression_rows.h"
#include "table/own_tables.h"
#include "table/store.h"
#include "table/write_builder.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct SuppressionPage {
    std::vector<Suppression> items;
    std::optional<std::string> next;
};

// Thread-safe.
class Suppressions final : public Permission {
public:
    enum class Writers { others_too, only_this };
    static table::OwnTable declared(std::string table = TableNames().suppressions);
    // Makes the tables when they are not there. All must outlive the result. If only the result
    // writes to the list, it knows most addresses that are not listed without asking for them; it
    // reads the whole list for that, some 500,000 addresses in a second. Whoever else writes
    // profiles is to be told of by note(), before they do. If others write to the list, too, it
    // knows what it has seen here, which is no more than a hint.
    static Result<Suppressions> open(table::Store& store, const Clock& clock, Random& random,
                                     Writers writers = Writers::others_too,
                                     const TableNames& tables = {});

    // All of these write the profile, the SUPPRESSION row and the trail, too: see change.h. Who is
    // not known yet becomes a person by it; who was erased does not.

    // Replaces an earlier one. `invalid` if it is no address.
    Result<Suppression> add(std::string_view address, const Extent& extent, std::string_view reason,
                            const Evidence& evidence = {.source = "api"});
    // The same, as a part of the caller's transaction.
    Result<> add_to(schedule::Transaction& transaction, std::string_view address,
                    const Extent& extent, std::string_view reason,
                    const Evidence& evidence = {.source = "api"});
    // Any other change of what somebody wants.
    Result<> add_to(schedule::Transaction& transaction, std::string_view address, Change change);
    // All of the address. Whether there was one.
    Result<bool> remove(std::string_view address, const Evidence& evidence = {.source = "api"});

    // The caller's transaction is a `conflict` if such a mail may not go to the address by then.
    // `invalid` if it is no address.
    Result<> require_none(table::write::Transaction& transaction, const MailKind& kind,
                          std::string_view address);
    // The same for nothing but that topic; what no transaction on its mails asks anyway.
    Result<> require_topic(table::write::Transaction& transaction, const std::string& topic,
                           std::string_view address);
    // Who does not want mail about that topic, and the reasons, whatever else they do not want.
    Result<Refusals> refusals_of_topic(const std::string& topic,
                                       const std::vector<std::string>& addresses);
    // What they said of it; none: nothing.
    Result<std::optional<TopicState>> topic_state(const std::string& topic,
                                                  std::string_view address);
    Result<std::vector<Suppression>> find(std::string_view address);
    // `invalid` if `after` is not what a page said.
    Result<SuppressionPage> list(std::size_t limit, const std::optional<std::string>& after);

    // Why such a mail may not go to the address now; none if it may.
    Result<std::optional<std::string>> refusal(const MailKind& kind, std::string_view address);
    Result<Refusals> refusals(const MailKind& kind,
                              const std::vector<std::string>& addresses) override;
    Result<Refusals> known_refusals(const MailKind& kind,
                                    const std::vector<std::string>& addresses) override;
    // By conditions on the rows of the addresses, while they find room in a transaction. The only
    // writer adds none: it notes an address as listed before it writes that down, so whoever was
    // suppressed before the transaction was durable is found by the look after it. That costs a
    // few instructions for each address; conditions cost reading six rows.
    Sure require(table::write::Transaction& transaction, const MailKind& kind,
                 const std::vector<std::string>& addresses) override;

    // Whether all that is known of the address is that its person was erased: nothing more is to be
    // kept of it.
    Result<bool> is_forgotten(std::string_view canonical) const;

    // Somebody is about to write something of this person that we did not decide.
    void note(std::string_view canonical) { rows_->note(canonical); }
    // They spell the address so in their keys; until followed() that is asked, too.
    void note(std::string_view canonical, std::string_view spelled);
    void followed(std::string_view canonical, std::string_view spelled) {
        spellings_->forget(canonical, spelled);
    }
    void all_followed() { spellings_->forget_all(); }
    SuppressionRows& rows() { return *rows_; }
    const Books& books() const { return *books_; }
    // See People::keep().
    void keep(PersonalData& part) { books_->parts.add(part); }

private:
    Suppressions(std::unique_ptr<Books> books, Writers writers);
    enum class Look { at_all, at_noted };
    struct Objections;
    // Which of them count, as one text; none: none does.
    using Meant = std::function<std::optional<std::string>(const Objections&)>;
    Result<Refusals> look(const MailKind& kind, const std::vector<std::string>& addresses,
                          Look look, const Meant& meant);
    Look usual_look() const {
        return writers_ == Writers::only_this ? Look::at_noted : Look::at_all;
    }
    void rest_on_none(table::write::Transaction& transaction, const MailKind& kind,
                      const std::string& canonical) const;

    std::unique_ptr<Books> books_;
    std::unique_ptr<SuppressionRows> rows_;
    std::unique_ptr<Spellings> spellings_ = std::make_unique<Spellings>();
    Writers writers_;
};

}  // namespace mailroom::people
