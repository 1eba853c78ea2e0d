#include "mime/build/message.h"

#include <algorithm>
#include <unordered_set>

namespace mailroom::mime {

std::vector<Mailbox> envelope_recipients(const Message& message) {
    std::vector<Mailbox> recipients;
    std::unordered_set<std::string> seen;
    for (const auto* list : {&message.to, &message.cc, &message.bcc}) {
        for (const auto& mailbox : *list) {
            if (seen.insert(canonical(mailbox)).second) recipients.push_back(mailbox);
        }
    }
    return recipients;
}

bool needs_smtputf8(const Message& message) {
    const auto needs = [](const Mailbox& mailbox) { return needs_smtputf8(mailbox); };
    if (message.sender && needs(*message.sender)) return true;
    for (const auto* list :
         {&message.from, &message.reply_to, &message.to, &message.cc, &message.bcc}) {
        if (std::ranges::any_of(*list, needs)) return true;
    }
    return false;
}

}  // namespace mailroom::mime
