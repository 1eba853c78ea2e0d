#include "reminders/audit.h"

namespace mailroom::reminders {

table::Value ReplacedLetter::store(const Letter& letter) {
    return table::Value::map(
        table::Item{{"subject", letter.subject}, {"content", letter.text}, {"html", letter.html}});
}

std::optional<Letter> ReplacedLetter::load(const table::ValueView& value) {
    if (value.kind() != table::Kind::map) return std::nullopt;
    const auto part = [&](std::string_view name) {
        return std::string(value.map().text(name).value_or(""));
    };
    return Letter{part("subject"), part("content"), part("html")};
}

}  // namespace mailroom::reminders
