// Customers and invoices from a file.
//
//   customers   customer_id,name,email[,currency][,opt_out]
//   invoices    invoice_id,customer_id,amount,due_date
//               [,status][,paid_amount][,paid_date][,currency]
// A row whose id is there changes it; a column that is not there, or an empty field, changes
// nothing. The same file twice changes nothing the second time. Columns that are not known are left
// out.
#pragma once

#include "program/import.h"
#include "reminders/accounts.h"

#include <string_view>

namespace mailroom::reminders {

using program::ImportMode;
using program::ImportResult;

// Nothing is written when any row is wrong, nor on a dry run: the result then tells what would be.
// What is written goes in many transactions, so after a failure of the store a part may be there;
// to import the file again is fine then. `bad_field` of "body" for what is no such file.
Answer<ImportResult> import_customers(Accounts& accounts, std::string_view text, ImportMode mode,
                                      const program::Actor& person = mailroom_itself());
Answer<ImportResult> import_invoices(Accounts& accounts, std::string_view text, ImportMode mode,
                                     const program::Actor& person = mailroom_itself());

}  // namespace mailroom::reminders
