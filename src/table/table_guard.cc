#include "table/table_guard.h"

namespace mailroom::table {

Failure TableGuard::access_denied(std::string_view table) {
    return {Fault::access_denied,
            "The access key is not allowed to do this with the table " + std::string(table)};
}

Outcome<> TableGuard::check_name(std::string_view table, TableAccess access) const {
    if (!allows(table, access)) return access_denied(table);
    if (!own_.hides(table)) return Ok{};
    return Failure{Fault::resource_not_found,
                   "Requested resource not found: Table: " + std::string(table) + " not found"};
}

Outcome<> TableGuard::check_change(std::string_view table) const {
    TRY(check_name(table, TableAccess::write));
    if (!own_.shares(table) || allows(table, TableAccess::manage)) return Ok{};
    return Failure{Fault::access_denied,
                   "The table " + std::string(table) +
                       " is Mailroom's own: to change it as a whole takes an access key that may "
                       "manage"};
}

Outcome<> TableGuard::check_new_name(std::string_view table) const {
    if (!allows(table, TableAccess::write)) return access_denied(table);
    if (own_.hides(table)) {
        const std::string names = OwnTables::is_reserved(table)
                                      ? "Names of tables that begin with " +
                                            std::string(OwnTables::reserved_prefix) + " are"
                                      : "The name of this table is";
        return Failure{Fault::access_denied, names + " reserved: " + std::string(table)};
    }
    return check_change(table);
}

Outcome<> TableGuard::check_arn(const std::string& arn, TableAccess access) const {
    const auto slash = arn.rfind('/');  // As the store looks for the name.
    const auto table = slash == arn.npos ? std::string() : arn.substr(slash + 1);
    if (!allows(table, access)) return access_denied(table);
    if (!own_.hides(table)) return Ok{};
    return Failure{Fault::resource_not_found, "Requested resource not found"};
}

}  // namespace mailroom::table
