// ExecuteStatement, BatchExecuteStatement, ExecuteTransaction: the statements as text, not yet
// read.
#include "table/wire/decoding.h"

namespace mailroom::table::wire {

namespace {

constexpr LengthRule statement_length = {1, 8192};
constexpr LengthRule next_token_length = {1, 32768};
constexpr LengthRule token_length = {1, 36};
// The statement's own length keeps them fewer.
constexpr std::size_t parameters_max = statement_length.max;
constexpr std::size_t batch_max = 25;
constexpr std::size_t transaction_max = 100;

Statement read_statement(Reader& reader, const Structure& in, Complaint& complaint) {
    Statement out;
    reader.require(in["Statement"]);
    out.text = reader.sized_text(in["Statement"], statement_length).value_or("");
    const auto parameters = in["Parameters"];
    const auto count = reader.elements(parameters, [&](const Place& element) {
        std::string bytes;
        auto found = reader.attributes.append_value(element.json, bytes);
        if (found && !complaint) complaint = std::move(found);
        out.parameters.push_back(Value::from_encoded(std::move(bytes)));
    });
    reader.check_count(parameters, count, {1, parameters_max});
    out.consistent = reader.flag(in["ConsistentRead"]).value_or(false);
    out.on_failure = read_on_failure(reader, in);
    return out;
}

std::vector<Statement> read_statements(Reader& reader, const Place& place, std::string_view type,
                                       std::size_t max, Complaint& complaint) {
    std::vector<Statement> out;
    reader.require(place);
    const auto count = reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, type, Holder::collection);
        out.push_back(read_statement(reader, in, complaint));
    });
    reader.check_count(place, count, {1, max});
    return out;
}

}  // namespace

Outcome<Call<ExecuteStatement>> Decoder::execute_statement(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ExecuteStatementInput");
    Call<ExecuteStatement> call;
    Complaint complaint;
    call.request.statement = read_statement(reader, in, complaint);
    call.request.limit = reader.integer_from(1, in["Limit"]);
    call.request.next_token = reader.sized_text(in["NextToken"], next_token_length);
    call.options.consumed = read_show_consumed(reader, in);
    REFUSE(reader.problems.failure());
    REFUSE(check(complaint));
    return call;
}

Outcome<Call<BatchExecuteStatement>> Decoder::batch_execute_statement(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BatchExecuteStatementInput");
    Call<BatchExecuteStatement> call;
    Complaint complaint;
    call.request.statements =
        read_statements(reader, in["Statements"], "BatchStatementRequest", batch_max, complaint);
    call.options.consumed = read_show_consumed(reader, in);
    REFUSE(reader.problems.failure());
    REFUSE(check(complaint));
    return call;
}

Outcome<Call<ExecuteTransaction>> Decoder::execute_transaction(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ExecuteTransactionInput");
    Call<ExecuteTransaction> call;
    Complaint complaint;
    call.request.statements = read_statements(reader, in["TransactStatements"],
                                              "ParameterizedStatement", transaction_max, complaint);
    call.request.token = reader.sized_text(in["ClientRequestToken"], token_length).value_or("");
    call.options.consumed = read_show_consumed(reader, in);
    REFUSE(reader.problems.failure());
    REFUSE(check(complaint));
    return call;
}

}  // namespace mailroom::table::wire
