// Mailboxes: who a mail is from and to (RFC 5322 section 3.4, with the obsolete forms of 4.4 and
// the UTF-8 of RFC 6532). Values; all functions are thread-safe and take linear time.
#pragma once

#include "base/result.h"
#include "mime/defect.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct Mailbox {
    std::string display_name;  // Decoded UTF-8; empty when there is none.
    std::string local_part;    // Without quotes and backslashes.
    std::string domain;        // As written; U-labels, A-labels and `[literals]` are possible.

    // `local@domain`, the local part quoted when it has to be; only that without a domain.
    std::string address() const;
    bool operator==(const Mailbox&) const = default;
};

// A named range of AddressList::mailboxes. It may be empty: `undisclosed-recipients:;`.
struct Group {
    std::string name;
    std::size_t first = 0;
    std::size_t count = 0;
};

struct AddressList {
    std::vector<Mailbox> mailboxes;  // In order, members of groups included.
    std::vector<Group> groups;
    Defects defects;
};

constexpr std::size_t mailboxes_max = 5000;             // Of one list; far above any real header.
constexpr std::size_t lenient_address_bytes_max = 998;  // One line: longer ones cannot be sent.

// What a header brings, folded or not. Reads what can be read and reports the rest: missing
// brackets, unquoted commas in names, `;` between addresses, raw 8-bit names, a whole address in
// an encoded word, comments as names.
AddressList parse_address_list(std::string_view text);

// The same, but what has no @ is kept as well: `root` and `MAILER-DAEMON (Mail System)` become
// mailboxes without a domain, several words one with a name only. To show, not to send to.
AddressList parse_address_list_with_local_names(std::string_view text);

// One address as a user of ours gives it: `ann@example.com` or `Ann Lee <ann@example.com>`.
// `invalid` with a message that says what is wrong for anything that RFC 5321 would not carry.
Result<Mailbox> parse_address(std::string_view text);

// What parse_address() checks of a mailbox that was put together by hand.
Result<> check_address(const Mailbox& mailbox);

// One text for all ways to write the same address: lower case, no needless quotes, the domain in
// ASCII. Idempotent through parse_address_list(). Only ASCII letters of the local part are lowered.
std::string canonical(const Mailbox& mailbox);

// As it stands in a header, on one line: `"Lee, Ann" <ann@example.com>`. Names that are not ASCII
// become encoded words; an internationalised domain becomes ASCII when the local part is.
std::string to_header_text(const Mailbox& mailbox);

// Whether it can only travel with SMTPUTF8 (RFC 6531): its local part is not ASCII.
bool needs_smtputf8(const Mailbox& mailbox);

}  // namespace mailroom::mime
