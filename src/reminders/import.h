// Customers and invoices from a file.
//
//   customers   customer_id,name,email[,currency][,opt_out]
//   invoices    invoice_id,customer_id,amount,due_date
//               [,status][,paid_amount][,paid_date][,currency]
// A row whose id is there changes it; a column that is not there, or an empty field, changes
// nothing. The same file twice changes nothing the second time. Columns that are not known are left
// out.
#pragma once

#include "reminders/accounts.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

inline constexpr std::size_t import_rows_max = 100'000;
inline constexpr std::size_t import_errors_told_max = 100;

struct ImportError {
    std::size_t line;
    std::string field, message;
};

struct ImportResult {
    std::size_t rows = 0, created = 0, updated = 0, unchanged = 0;
    std::vector<ImportError> errors;  // Of all rows, by line; the first hundred.
    std::size_t errors_total = 0;
    std::vector<std::string> ignored_columns;

    bool is_good() const { return errors_total == 0; }
};

enum class ImportMode { for_real, dry };

// Nothing is written when any row is wrong, nor on a dry run: the result then tells what would be.
// What is written goes in many transactions, so after a failure of the store a part may be there;
// to import the file again is fine then. `bad_field` of "body" for what is no such file.
Answer<ImportResult> import_customers(Accounts& accounts, std::string_view text, ImportMode mode,
                                      const Person& person = mailroom_itself());
Answer<ImportResult> import_invoices(Accounts& accounts, std::string_view text, ImportMode mode,
                                     const Person& person = mailroom_itself());

}  // namespace mailroom::reminders
