#include "dynamodb/request_signatures.h"

#include "base/time_format.h"
#include "dynamodb/endpoint_for_tests.h"

#include <functional>

namespace mailroom::dynamodb {
namespace {

class RequestSignaturesTest : public EndpointTest {
protected:
    RequestSignaturesTest()
        : keys_(*AccessKeys::open(*engine_, clock_, random_)), signatures_(keys_, clock_) {
        key_ = *keys_.create("test", {table::TableAccess::read, {"Orders"}});
        endpoint_ = std::make_unique<Endpoint>(*engine_, table::OwnTables{}, *workers_, random_,
                                               &signatures_);
    }

    http::Request signed_request(std::string_view operation, std::string body,
                                 const std::string& service = "dynamodb",
                                 std::optional<std::string> token = std::nullopt) const {
        const bool has_api = operation.find('.') != operation.npos;
        net::Signer signer({key_.id, key_.secret, std::move(token)}, "eu-west-1", service);
        http::Request request;
        request.method = "POST";
        request.target = "/";
        request.body = std::move(body);
        request.headers = signer.sign(
            {"POST",
             "/",
             "",
             {{"Host", "127.0.0.1:8000"},
              {"Content-Type", "application/x-amz-json-1.0"},
              {"X-Amz-Target", (has_api ? "" : "DynamoDB_20120810.") + std::string(operation)}},
             request.body},
            clock_.now());
        return request;
    }
    static std::string& header_of(http::Request& request, std::string_view name) {
        for (auto& [key, value] : request.headers) {
            if (key == name) return value;
        }
        ADD_FAILURE() << name;
        return request.headers.front().second;
    }

    AccessKeys keys_;
    RequestSignatures signatures_;
    AccessKey key_;
};

TEST_F(RequestSignaturesTest, AreTakenFromThoseWhoHaveTheSecret) {
    const auto signer = signatures_.verify(signed_request("GetItem", "{}"));
    ASSERT_TRUE(signer) << signer.error().message;
    EXPECT_EQ(signer->id, key_.id);
    EXPECT_EQ(signer->scope, key_.scope);
    EXPECT_TRUE(signatures_.verify(signed_request("GetItem", "{}", "dynamodb", "a-token")));
    clock_.advance(std::chrono::hours(24));
    EXPECT_TRUE(signatures_.verify(signed_request("GetItem", "{}")));
}

TEST_F(RequestSignaturesTest, AreRefusedWhenAnythingIsNotAsItWasSigned) {
    using table::Fault;
    struct Case {
        const char* name;
        std::function<void(http::Request&)> change;
        Fault want;
    };
    const auto set = [](const char* name, std::string value) {
        return [=](http::Request& request) { header_of(request, name) = value; };
    };
    const auto replace = [](std::string from, std::string to) {
        return [=](http::Request& request) {
            auto& text = header_of(request, "Authorization");
            const auto at = text.find(from);
            ASSERT_NE(at, text.npos) << text;
            text.replace(at, from.size(), to);
        };
    };
    // clang-format off
    const Case cases[] = {
        {"body",          [](http::Request& r) { r.body += " "; }, Fault::invalid_signature},
        {"method",        [](http::Request& r) { r.method = "PUT"; }, Fault::invalid_signature},
        {"path",          [](http::Request& r) { r.target = "/x"; }, Fault::invalid_signature},
        {"query",         [](http::Request& r) { r.target = "/?a=b"; }, Fault::invalid_signature},
        {"operation",     set("X-Amz-Target", "DynamoDB_20120810.DeleteTable"), Fault::invalid_signature},
        {"host",          set("Host", "elsewhere"), Fault::invalid_signature},
        {"time",          set("X-Amz-Date", format_aws_time(clock_.now() + std::chrono::seconds(1))), Fault::invalid_signature},
        {"no time",       set("X-Amz-Date", "yesterday"), Fault::incomplete_signature},
        {"another day",   replace("20251115", "20251114"), Fault::invalid_signature},
        {"another region", replace("eu-west-1", "eu-west-2"), Fault::invalid_signature},
        {"unknown key",   replace(key_.id, "AKMRNOBODYNOBODYNOBO"), Fault::unrecognized_client},
        {"key without id", replace(key_.id, ""), Fault::unrecognized_client},
        {"long key id",   replace(key_.id, std::string(3000, 'A')), Fault::unrecognized_client},
        {"day not UTF-8", replace("20251115", "2025\xff"), Fault::incomplete_signature},
        {"header named often", replace("host;", "host;host;host;host;host;"), Fault::invalid_signature},
        {"no key",        replace("Credential=", "Creditential="), Fault::incomplete_signature},
        {"short scope",   replace("/aws4_request", ""), Fault::incomplete_signature},
        {"no signature",  replace("Signature=", "Sig="), Fault::incomplete_signature},
        {"wrong signature", replace("Signature=", "Signature=0"), Fault::invalid_signature},
        {"unsigned target", replace(";x-amz-target", ""), Fault::incomplete_signature},
        {"unsigned host", replace("host;", ""), Fault::incomplete_signature},
        {"basic",         set("Authorization", "Basic YTpi"), Fault::incomplete_signature},
        {"not at all",    [](http::Request& r) { std::erase_if(r.headers, [](const auto& h) { return h.first == "Authorization"; }); }, Fault::missing_authentication},
        {"in the query",  [](http::Request& r) {
             std::erase_if(r.headers, [](const auto& h) { return h.first == "Authorization"; });
             r.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=00"; }, Fault::missing_authentication},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto request = signed_request("GetItem", "{}");
        c.change(request);
        const auto verified = signatures_.verify(request);
        ASSERT_FALSE(verified);
        EXPECT_EQ(verified.error().fault, c.want) << verified.error().message;
    }
    EXPECT_EQ(signatures_.verify(signed_request("GetItem", "{}", "s3")).error().fault,
              Fault::invalid_signature);
}

TEST_F(RequestSignaturesTest, HoldForFifteenMinutesEitherWay) {
    for (const int minutes : {-16, -14, 14, 16}) {
        SCOPED_TRACE(minutes);
        const auto request = signed_request("GetItem", "{}");
        clock_.advance(std::chrono::minutes(minutes));
        const bool holds = minutes > -15 && minutes < 15;
        EXPECT_EQ(static_cast<bool>(signatures_.verify(request)), holds);
        clock_.advance(-std::chrono::minutes(minutes));
    }
}

TEST_F(RequestSignaturesTest, EndWithTheirKey) {
    const auto request = signed_request("GetItem", "{}");
    ASSERT_TRUE(signatures_.verify(request));
    ASSERT_TRUE(keys_.revoke(key_.id));
    EXPECT_EQ(signatures_.verify(request).error().fault, table::Fault::unrecognized_client);
}

TEST_F(RequestSignaturesTest, ReachAsFarAsTheScopeOfTheirKey) {
    const auto make = [&](const char* name) {
        table::CreateTable request;
        request.name = name;
        request.attributes = {{"pk", table::Kind::string}};
        request.keys.hash = "pk";
        ASSERT_TRUE(engine_->create_table(request));
    };
    make("Orders");
    make("People");
    struct Row {
        std::string_view operation, body;
        int status;
        std::string_view want;
    };
    // clang-format off
    const Row rows[] = {
        {"GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}}})", 200, "{}"},
        {"ListTables", "{}", 200, R"({"TableNames":["Orders"]})"},
        {"Query", R"({"TableName":"Orders","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}})", 200, R"("Count":0)"},
        {"ExecuteStatement", R"({"Statement":"SELECT * FROM \"Orders\""})", 200, R"({"Items":[]})"},
        {"GetItem", R"({"TableName":"People","Key":{"pk":{"S":"a"}}})", 400, "AccessDeniedException"},
        {"Query", R"({"TableName":"People","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}})", 400, "AccessDeniedException"},
        {"Scan", R"({"TableName":"People"})", 400, "AccessDeniedException"},
        {"ExecuteStatement", R"({"Statement":"SELECT * FROM \"People\""})", 400, "AccessDeniedException"},
        {"PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"}}})", 400, "AccessDeniedException"},
        {"UpdateItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}}})", 400, "AccessDeniedException"},
        {"DeleteItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}}})", 400, "AccessDeniedException"},
        {"BatchWriteItem", R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}})", 400, "AccessDeniedException"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Orders","Item":{"pk":{"S":"a"}}}}]})", 400, "AccessDeniedException"},
        {"DeleteTable", R"({"TableName":"Orders"})", 400, "AccessDeniedException"},
        {"GetItem", R"({"TableName":"MailroomAccessKeys","Key":{"access_key_id":{"S":"a"}}})", 400, "AccessDeniedException"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto response = send(signed_request(row.operation, std::string(row.body)));
        EXPECT_EQ(response.status, row.status);
        EXPECT_NE(response.body.find(row.want), std::string::npos) << response.body;
    }
    EXPECT_NE(call("ListTables", "{}").body.find("MissingAuthenticationTokenException"),
              std::string::npos);
}

TEST_F(RequestSignaturesTest, ListsTellOfNoTableOutsideTheScope) {
    // Orders stands between two others, so that every page of one has something to leave out.
    for (const char* name : {"Invoices", "Orders", "People"}) {
        table::CreateTable request;
        request.name = name;
        request.attributes = {{"pk", table::Kind::string}};
        request.keys.hash = "pk";
        request.stream = {true, table::StreamView::keys_only};
        ASSERT_TRUE(engine_->create_table(request));
        ASSERT_TRUE(engine_->backups().create({name, "monday"}));
    }
    for (const auto* operation : {"DynamoDBStreams_20120810.ListStreams", "ListBackups"}) {
        const auto page = send(signed_request(operation, R"({"Limit":1})"));
        EXPECT_EQ(page.status, 200);
        EXPECT_NE(page.body.find("Orders"), std::string::npos) << page.body;
        for (const auto* other : {"Invoices", "People", "LastEvaluated"}) {
            EXPECT_EQ(page.body.find(other), std::string::npos) << page.body;
        }
    }
    key_ = *keys_.create("everything", {});
    EXPECT_NE(send(signed_request("ListBackups", R"({"Limit":2})")).body.find("LastEvaluated"),
              std::string::npos);
}

TEST_F(RequestSignaturesTest, AreCheckedBeforeTheBody) {
    EXPECT_NE(call("GetItem", "").body.find("MissingAuthenticationTokenException"),
              std::string::npos);
    EXPECT_NE(send(signed_request("GetItem", "")).body.find("SerializationException"),
              std::string::npos);
}

}  // namespace
}  // namespace mailroom::dynamodb
