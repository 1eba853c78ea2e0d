// What makes no sense in steps of a definition, and in what else holds the same parts.
#pragma once

#include "campaigns/sequences/definition.h"
#include "table/records/reading.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::campaigns {

inline constexpr std::string_view wanted_path = "must be a path such as $.detail.email";

// Each says what is wrong at the present place of `reading`.
void check_steps(const Definition& definition, table::Reading& reading);
void check_window(table::Reading& reading, const SendingWindow& window);
void check_filter(table::Reading& reading, const FilterWish& wish);
void check_mail(table::Reading& reading, const std::string& template_key,
                const std::string& subject);
// UTF-8 of one line, of so many bytes.
void check_text(table::Reading& reading, std::string_view member, const std::string& text,
                std::size_t bytes_max, std::size_t bytes_min = 1);

}  // namespace mailroom::campaigns
