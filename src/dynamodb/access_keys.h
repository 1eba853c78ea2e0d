// Access keys: pairs of an id and a secret with which programs sign what they ask of the tables.
//
//   id     := "AKMR" and 16 characters of A-Z and 2-7
//   secret := 43 characters of base64url: 32 random bytes
// Checking a signature needs the secret itself, so unlike API keys these are kept as they are, in a
// table that is not to be seen from outside.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "http/key_rows.h"
#include "table/own_tables.h"
#include "table/store.h"
#include "table/table_guard.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::dynamodb {

struct AccessKey {
    std::string id, secret;
    std::string name;
    table::TableScope scope;
    Time created;
};

// Kept in the table MailroomAccessKeys. Thread-safe.
//   access_key_id (S, partition key)   secret S   name S   access S   tables SS   created_at N (ms)
class AccessKeys {
public:
    static constexpr const char* table_name = "MailroomAccessKeys";

    static table::OwnTable declared();
    // Makes the table when it is not there. All must outlive the result.
    static Result<AccessKeys> open(table::Store& store, const Clock& clock, Random& random);

    // `invalid` for a name that is not acceptable. The secret is in the result, to be shown once.
    Result<AccessKey> create(std::string_view name, table::TableScope scope);
    Result<std::vector<AccessKey>> list();  // Oldest first.
    Result<std::optional<AccessKey>> find(const std::string& id);
    // `not_found` if there is no such id. From the next request on the key is refused.
    Result<> revoke(const std::string& id);

private:
    AccessKeys(http::KeyRows rows, const Clock& clock, Random& random)
        : rows_(std::move(rows)), clock_(clock), random_(random) {}

    http::KeyRows rows_;
    const Clock& clock_;
    Random& random_;
};

// Whether the text has the form of an id above.
bool is_access_key_id(std::string_view text);

}  // namespace mailroom::dynamodb
