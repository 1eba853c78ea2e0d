// PartiQL statements as a stranger might send them: nothing crashes, what is accepted keeps within
// its bounds, and a token that decodes encodes to itself again.
#include "table/partiql/expression_text.h"
#include "table/partiql/next_token.h"
#include "table/partiql/parser.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace mailroom::table::partiql {
namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

struct Writer {
    Bindings bind;
    ExpressionText text{bind};

    void write(const std::optional<Predicate>& where) {
        if (where) check(!text.condition(*where).empty());
    }
    void operator()(const Select& select) {
        for (const auto& column : select.columns) check(!text.path(column.path).empty());
        write(select.where);
    }
    void operator()(const Insert& insert) { (void)insert.item.view().size_in_item(); }
    void operator()(const Update& update) {
        check(!text.update(update.changes).empty());
        write(update.where);
    }
    void operator()(const Delete& erase) { write(erase.where); }
    void operator()(const Exists& exists) { (*this)(exists.select); }
};

void parse_and_write(std::string_view input) {
    // The surplus of parameters is refused; without any, so is every question mark.
    for (const std::size_t count : {0u, 1u, 3u}) {
        const auto syntax = parse(input, std::vector<Value>(count, Value("x")));
        if (syntax) std::visit(Writer{}, *syntax);
    }
}

void decode(std::string_view input) {
    const auto mark = fingerprint("", {});
    const auto continuation = decode_token(input, mark);
    if (!continuation) return;
    const auto again = encode_token(mark, *continuation);
    if (!again) return;  // Numbers may be longer in their plain form.
    check(decode_token(*again, mark)->key == continuation->key);
}

}  // namespace
}  // namespace mailroom::table::partiql

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    mailroom::table::partiql::parse_and_write(input);
    mailroom::table::partiql::decode(input);
    return 0;
}
