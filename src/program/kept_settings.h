// What the server makes up once and must remember, in the table MailroomSettings.
//
//   Name S   Value S
#pragma once

#include "base/result.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <functional>
#include <string>

namespace mailroom::program {

class KeptSettings {
public:
    static constexpr const char* table_name = "MailroomSettings";

    static table::OwnTable declared();
    // Makes the table when it is not there. `store` must outlive the result.
    static Result<KeptSettings> open(table::Store& store);

    // The value of that name; if there is none, what `make` makes, which stays from then on.
    Result<std::string> get_or_keep(const std::string& name,
                                    const std::function<std::string()>& make);

private:
    explicit KeptSettings(table::Store& store) : store_(&store) {}
    Result<std::optional<std::string>> get(const std::string& name);

    table::Store* store_;
};

}  // namespace mailroom::program
