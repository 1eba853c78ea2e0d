#include "outbox/accept/outbox_fixture.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::outbox {
namespace {

TEST_F(OutboxTest, ACallbackThatTheGuardRefusesAtSightIsRefusedWithAWayOut) {
    const net::Guard strict(resolver, {});
    outbox->guard_callbacks_by(strict);
    const auto before = rows();
    for (const char* url :
         {"http://localhost:8080/hook", "http://a.localhost:8080/hook", "http://127.0.0.2:8080/",
          "http://10.0.0.1/", "http://[::1]:8080/", "https://example.com:25/"}) {
        SCOPED_TRACE(url);
        const auto refused =
            accept(minimal(mail_a, R"(,"callback_url":")" + std::string(url) + '"'));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, Refusal::Kind::bad_field);
        EXPECT_EQ(refused.error().field, "callback_url");
        EXPECT_NE(refused.error().message.find("net.allow"), std::string::npos);
    }
    EXPECT_EQ(rows(), before);
    outbox->guard_callbacks_by(guard);
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"callback_url":"http://127.0.0.1:8080/")")))
        << "the operator allows it";
}

}  // namespace
}  // namespace mailroom::outbox
