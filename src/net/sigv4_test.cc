#include "net/sigv4.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

// The key of AWS's published examples.
constexpr const char* example_key_id = "AKIDEXAMPLE";
constexpr const char* example_secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr const char* example_time = "20150830T123600Z";

std::string sign_example(const SigningScope& scope, const CanonicalParts& parts) {
    return signature(signing_key(example_secret, scope),
                     string_to_sign(example_time, scope, canonical_request(parts)));
}

TEST(SigV4, TheWorkedExampleOfTheManualHoldsInEveryStep) {
    const SigningScope scope{"20150830", "us-east-1", "iam"};
    const Headers headers = {{"Host", "iam.amazonaws.com"},
                             {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                             {"X-Amz-Date", example_time}};
    const auto payload = sha256_hex("");
    EXPECT_EQ(payload, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const CanonicalParts parts{"GET", "/", "Action=ListUsers&Version=2010-05-08", headers, payload};
    const auto canonical = canonical_request(parts);
    EXPECT_EQ(canonical,
              "GET\n/\nAction=ListUsers&Version=2010-05-08\n"
              "content-type:application/x-www-form-urlencoded; charset=utf-8\n"
              "host:iam.amazonaws.com\nx-amz-date:20150830T123600Z\n\n"
              "content-type;host;x-amz-date\n" +
                  payload);
    EXPECT_EQ(sha256_hex(canonical),
              "f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59");
    EXPECT_EQ(signature(signing_key(example_secret, scope),
                        string_to_sign(example_time, scope, canonical)),
              "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

TEST(SigV4, TheCasesOfThePublishedTestSuiteHold) {
    struct Case {
        const char* name;
        const char* method;
        const char* query;
        Headers more;
        const char* body;
        const char* want;
    };
    // clang-format off
    const Case cases[] = {
        {"get-vanilla", "GET", "", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
        {"post-vanilla", "POST", "", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
        {"post-x-www-form-urlencoded", "POST", "", {{"Content-Type", "application/x-www-form-urlencoded"}}, "Param1=value1",
         "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
        {"get-vanilla-query-order-key-case", "GET", "Param1=value1&Param2=value2", {}, "",
         "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
        {"get-header-value-trim", "GET", "", {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}, "",
         "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
        {"get-header-key-duplicate", "GET", "", {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}, "",
         "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    };
    // clang-format on
    const SigningScope scope{"20150830", "us-east-1", "service"};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Headers headers = {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", example_time}};
        headers.insert(headers.end(), c.more.begin(), c.more.end());
        const auto payload = sha256_hex(c.body);
        EXPECT_EQ(sign_example(scope, {c.method, "/", c.query, headers, payload}), c.want);
    }
}

TEST(SigV4, TheSignerSignsAllHeadersWithOrWithoutASessionToken) {
    struct Case {
        const char* host;
        std::optional<std::string> token;
        const char* names;
        const char* want;  // As the AWS SDK for Python signs the same request.
    };
    const Case cases[] = {
        {"dynamodb.eu-central-1.amazonaws.com", std::nullopt,
         "content-type;host;x-amz-date;x-amz-target",
         "f594b6ac32517c63461f0224822eb1d8472c3a7d906bcfe9beec0cd90c7cb163"},
        {"127.0.0.1:8000", std::nullopt, "content-type;host;x-amz-date;x-amz-target",
         "a85567d506b225311a68182e3cdd3cc43032acea1b6b1143e46e38fcf8d53fab"},
        {"dynamodb.eu-central-1.amazonaws.com",
         "the/session+token==", "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
         "13497a88f6ae6d32484387ea99385f4e23bf97d4d1c9dc69a926491ae815792b"},
    };
    const auto now = *parse_aws_time("20261115T055124Z");
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        Signer signer({example_key_id, example_secret, c.token}, "eu-central-1", "dynamodb");
        const Headers unsigned_headers = {{"Host", c.host},
                                          {"Content-Type", "application/x-amz-json-1.0"},
                                          {"X-Amz-Target", "DynamoDB_20120810.DescribeTable"}};
        const auto headers =
            signer.sign({"POST", "/", "", unsigned_headers, R"({"TableName":"T"})"}, now);
        EXPECT_EQ(headers.back().first, "Authorization");
        EXPECT_EQ(headers.back().second,
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/eu-central-1/dynamodb/"
                  "aws4_request, SignedHeaders=" +
                      std::string(c.names) + ", Signature=" + c.want);
    }
}

TEST(SigV4, TheSignerSignsAnyMethodPathAndQuery) {
    struct Case {
        const char* method;
        const char* path;
        const char* query;
        const char* body;
        const char* want;  // As the AWS SDK for Python signs the same request.
    };
    const Case cases[] = {
        {"POST", "/v2/email/outbound-emails", "", R"({"a":1})",
         "54304e434e6f193c482c5b8351f101842781232ef374771f588a6d2cda5f2bc6"},
        {"GET", "/v2/email/identities/a%40b.example",
         "PageSize=5&NextToken=x%2Fy&Empty=&PageSize=10", "",
         "9b649f17fea0cbd4cb26939a455f77097073556262a9bb0878c9d8b21dc1a80c"},
    };
    Signer signer({example_key_id, example_secret, std::nullopt}, "eu-central-1", "ses");
    for (const auto& c : cases) {
        SCOPED_TRACE(c.path);
        const Headers unsigned_headers = {{"Host", "email.eu-central-1.amazonaws.com"},
                                          {"Content-Type", "application/json"}};
        const auto headers = signer.sign({c.method, c.path, c.query, unsigned_headers, c.body},
                                         *parse_aws_time("20261115T102622Z"));
        EXPECT_TRUE(headers.back().second.ends_with(std::string("Signature=") + c.want))
            << headers.back().second;
    }
}

TEST(SigV4, PathsAndQueriesHaveOneForm) {
    EXPECT_EQ(canonical_path("/a%20b/~c", "ses"), "/a%2520b/~c");
    EXPECT_EQ(canonical_path("/a%20b/~c", "s3"), "/a%20b/~c");
    EXPECT_EQ(canonical_query(""), "");
    EXPECT_EQ(canonical_query("b&a=2&a=1&&c="), "a=1&a=2&b=&c=");
    EXPECT_EQ(uri_encode("a b/\xc3\xa4~-._"), "a%20b%2F%C3%A4~-._");
}

TEST(SigV4, TheSignerTakesANewKeyWithTheNewDay) {
    const Headers headers = {{"Host", "h"}};
    const auto monday = *parse_aws_time("20261116T235959Z");
    const auto tuesday = *parse_aws_time("20261117T000000Z");
    Signer lasting({"id", "secret", std::nullopt}, "r", "dynamodb");
    const auto before = lasting.sign({"POST", "/", "", headers, "{}"}, monday);
    const auto after = lasting.sign({"POST", "/", "", headers, "{}"}, tuesday);
    Signer fresh({"id", "secret", std::nullopt}, "r", "dynamodb");
    EXPECT_EQ(after, fresh.sign({"POST", "/", "", headers, "{}"}, tuesday));
    EXPECT_NE(after, before);
}

}  // namespace
}  // namespace mailroom::net
