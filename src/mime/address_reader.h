// Reads address lists as they arrive. For address.cc and address_list.cc only.
#pragma once

#include "mime/address.h"
#include "mime/address_tokens.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

class AddressReader {
public:
    // Whether the text comes out of an encoded word; one level of that is enough.
    enum class Decoded { no, yes };
    // What becomes of words without an @.
    enum class LocalNames { leave_out, keep };

    // Adds to `list`, which must outlive this object.
    explicit AddressReader(AddressList& list, Decoded decoded = Decoded::no,
                           LocalNames local_names = LocalNames::leave_out)
        : list_(list),
          is_decoded_(decoded == Decoded::yes),
          keeps_local_names_(local_names == LocalNames::keep) {}

    // To be called once.
    void read(std::string_view text);

    // Commas and semicolons outside of groups and routes.
    std::size_t separators() const { return separators_; }

private:
    using Tokens = std::span<const AddressToken>;
    enum class EntryEnd { comma, semicolon, text };

    void take(AddressToken token);
    void semicolon();
    bool begins_group();
    void close_group();
    void end_entry(EntryEnd end);
    void drop_pending();
    void add_local_names(Tokens words);
    void angle_entry(Tokens entry);
    void bare_entry(Tokens entry);
    std::string name_with_pending(Tokens words);
    std::optional<Mailbox> addr_spec(Tokens all);
    std::optional<Mailbox> checked(Mailbox mailbox);
    std::string local_part(Tokens tokens);
    std::string domain(Tokens tokens);
    void add(Mailbox mailbox);

    AddressList& list_;
    bool is_decoded_;
    bool keeps_local_names_;
    std::vector<AddressToken> entry_;    // Since the last separator.
    std::vector<AddressToken> pending_;  // Entries without an address: a name with commas, perhaps.
    bool entry_has_at_ = false;
    bool in_angle_ = false;
    bool is_route_ = false;  // Inside `<@one,@two:`.
    bool in_group_ = false;
    std::size_t separators_ = 0;
};

}  // namespace mailroom::mime
