#include "people/segments/mail_deeds.h"

#include "people/segments/filter.h"

#include <utility>

namespace mailroom::people {

FoundDeeds::Key FoundDeeds::key_of(const Did& test, Time now) {
    std::optional<Time> since;
    if (test.when == Did::When::since) since = test.moment.span(now).first;
    return {test.deed, test.mails->group, test.mails->id, since};
}

Result<> FoundDeeds::find(const MailDeeds* source, const Did& test, Time now) {
    auto key = key_of(test, now);
    if (source == nullptr || found_.contains(key)) return Ok{};
    auto found = TRY(source->of(*test.mails, test.deed, std::get<std::optional<Time>>(key)));
    found_.emplace(std::move(key), std::move(found));
    return Ok{};
}

const DeedsByPerson& FoundDeeds::of(const Did& test, Time now) const {
    const auto found = found_.find(key_of(test, now));
    return found == found_.end() ? nobody_ : found->second;
}

}  // namespace mailroom::people
