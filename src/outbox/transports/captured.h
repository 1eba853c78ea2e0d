// The transport that keeps mails instead of sending them, for people to look at.
//
//   MailroomCaptured   Day S ("2026-11-15"), Entry S (time and mail id)
//                      Id S   Sender S   Recipients L   Subject S   At N (ms)   TTL N
//                      Day "mail " and the id, Entry "mark": so that a mail is there once
// Rows live for a week. The messages themselves are among the blobs.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "outbox/transports/transport.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct CapturedMail {
    std::string id;
    std::string sender;
    std::vector<std::string> recipients;
    std::string subject;
    Time at;
};

struct CapturedPage {
    std::vector<CapturedMail> mails;  // Newest first.
    std::optional<std::string> next;
};

// Thread-safe.
class Captured final : public Transport {
public:
    static table::OwnTable declared(std::string table = "MailroomCaptured");
    // Makes the table when it is not there. Both must outlive the result.
    static Result<std::unique_ptr<Captured>> open(table::Store& store, const Clock& clock,
                                                  std::string table = "MailroomCaptured");

    void send(Outgoing mail, Done done) override;
    bool is_repeatable() const override { return true; }
    void stop(std::chrono::milliseconds grace) override;

    // Those with `words` in their subject or addresses, in upper or lower case; all without words.
    // A page ends early, with a `next`, when it has looked at many. `invalid` if `after` is not
    // what a page said.
    Result<CapturedPage> list(std::size_t limit, const std::optional<std::string>& after,
                              std::string_view words = {});

private:
    Captured(table::Store& store, const Clock& clock, std::string table);
    table::Outcome<> keep(const Outgoing& mail);

    table::Store& store_;
    const Clock& clock_;
    const std::string table_;
    std::atomic<bool> is_stopped_ = false;
};

}  // namespace mailroom::outbox
