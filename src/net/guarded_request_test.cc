// Requests that must go where the guard said, and nowhere else.
#include "net/fake_resolver.h"
#include "net/http_client.h"
#include "net/http_transfer.h"
#include "net/scripted_server.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

using namespace std::chrono_literals;
using Answers = std::vector<FakeResolver::Addresses>;

std::vector<IpAddress> address(const char* text) { return {*IpAddress::parse(text)}; }

class GuardedRequestTest : public testing::Test {
protected:
    void serve(std::vector<std::string> answers) {
        client.reset();
        server = std::make_unique<ScriptedServer>(std::move(answers));
        client = std::make_unique<HttpClient>(HttpClientOptions{}, guard);
    }
    std::string url(const std::string& host, const std::string& path = "/") const {
        return "http://" + host + ":" + std::to_string(server->port()) + path;
    }
    Result<HttpAnswer, HttpFailure> get(const std::string& text, int redirects_max = 0) {
        HttpRequest request{.url = *Url::parse(text)};
        request.limits.redirects_max = redirects_max;
        return client->send(request);
    }
    static std::string redirect(const std::string& location, int status = 302) {
        return ScriptedServer::answer(status, "", "Location: " + location + "\r\n");
    }

    FakeResolver resolver;
    // The scripted server stands for the public Internet; the rest of loopback is inside.
    Guard guard{resolver, {.allowed = {*Network::parse("127.0.0.1")}}};
    std::unique_ptr<ScriptedServer> server;
    std::unique_ptr<HttpClient> client;
};

TEST_F(GuardedRequestTest, ConnectsToTheAddressThatWasCheckedWithTheNameInItsHost) {
    serve({ScriptedServer::answer(200, "here"), ScriptedServer::answer(200, "again")});
    resolver.set_addresses("hook.example", {"127.0.0.1"});
    const auto answer = get(url("hook.example", "/x"));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "here");
    const auto sent = server->requests().at(0);
    EXPECT_NE(sent.find("\r\nHost: hook.example:" + std::to_string(server->port()) + "\r\n"),
              sent.npos);
    ASSERT_TRUE(get(url("hook.example")));
    EXPECT_EQ(server->connections(), 1) << "kept for the next request";
    EXPECT_EQ(resolver.asked().size(), 2u) << "but the name is checked each time";
}

TEST_F(GuardedRequestTest, IsRefusedWhereverItLeadsInside) {
    serve({});
    resolver.set_addresses("inside.example", {"127.0.0.2", "10.0.0.1"});
    resolver.set_addresses("slow.example", Answers{DnsFailure{NoRecords::temporary, "no answer"}});
    struct Case {
        const char* host;
        HttpProblem want;
    };
    const Case cases[] = {{"127.0.0.2", HttpProblem::refused_by_guard},
                          {"0x7f.2", HttpProblem::refused_by_guard},
                          {"[::1]", HttpProblem::refused_by_guard},
                          {"localhost", HttpProblem::unresolved},
                          {"inside.example", HttpProblem::refused_by_guard},
                          {"slow.example", HttpProblem::unresolved},
                          {"gone.example", HttpProblem::unresolved}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.host);
        const auto answer = get(url(c.host));
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().problem, c.want) << answer.error().message;
        EXPECT_FALSE(answer.error().may_have_arrived);
    }
    EXPECT_EQ(server->connections(), 0);
}

TEST_F(GuardedRequestTest, ANameThatChangesItsAddressGainsNothing) {
    serve({ScriptedServer::answer(200, "one"), ScriptedServer::answer(200, "two")});
    resolver.set_addresses("rebind.example",
                           Answers{address("127.0.0.1"), address("127.0.0.2"), address("127.0.0.1"),
                                   address("169.254.169.254")});
    EXPECT_TRUE(get(url("rebind.example")));
    EXPECT_EQ(resolver.asked().size(), 1u) << "asked once, and connected to what was said";
    EXPECT_EQ(get(url("rebind.example")).error().problem, HttpProblem::refused_by_guard);
    EXPECT_TRUE(get(url("rebind.example")));
    EXPECT_EQ(get(url("rebind.example")).error().problem, HttpProblem::refused_by_guard);
    EXPECT_EQ(server->requests().size(), 2u);
}

TEST_F(GuardedRequestTest, ABadAddressAmongGoodOnesIsNotTried) {
    serve({ScriptedServer::answer(200, "good")});
    resolver.set_addresses("mixed.example", {"127.0.0.2", "::1", "127.0.0.1"});
    const auto answer = get(url("mixed.example"));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "good");
}

TEST_F(GuardedRequestTest, RedirectsAreCheckedAsTheFirstRequestWas) {
    struct Case {
        const char* name;
        std::string location;
        HttpProblem want;
    };
    const Case cases[] = {
        {"loopback", "http://127.0.0.2/", HttpProblem::refused_by_guard},
        {"metadata", "http://169.254.169.254/latest/", HttpProblem::refused_by_guard},
        {"as a number", "http://2852039166/", HttpProblem::refused_by_guard},
        {"IPv6", "http://[::ffff:10.0.0.1]/", HttpProblem::refused_by_guard},
        {"without scheme", "//10.0.0.1/", HttpProblem::refused_by_guard},
        {"name", "http://inside.example/", HttpProblem::refused_by_guard},
        {"port", "http://127.0.0.1:25/", HttpProblem::refused_by_guard},
        {"file", "file:///etc/passwd", HttpProblem::refused_by_guard},
        {"gopher", "gopher://127.0.0.1:6379/_INFO", HttpProblem::refused_by_guard},
        {"user", "http://a:b@hook.example/", HttpProblem::refused_by_guard},
        {"gone", "http://gone.example/", HttpProblem::unresolved},
    };
    resolver.set_addresses("hook.example", {"127.0.0.1"});
    resolver.set_addresses("inside.example", {"192.168.1.1"});
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        serve({redirect(c.location)});
        const auto answer = get(url("hook.example"), 5);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().problem, c.want) << answer.error().message;
        EXPECT_TRUE(answer.error().may_have_arrived) << "the first server has seen it";
    }
}

TEST_F(GuardedRequestTest, RedirectsAreFollowedAsFarAsAllowed) {
    serve({redirect("/two"), redirect("three"), ScriptedServer::answer(200, "end"), redirect("/a"),
           redirect("/b"), redirect("/c")});
    resolver.set_addresses("hook.example", {"127.0.0.1"});
    const auto answer = get(url("hook.example", "/one"), 2);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "end");
    EXPECT_TRUE(server->requests().at(2).starts_with("GET /three "));
    EXPECT_EQ(get(url("hook.example"), 2).error().problem, HttpProblem::too_many_redirects);
    EXPECT_EQ(resolver.asked().size(), 6u) << "each hop is checked";
}

TEST_F(GuardedRequestTest, ARedirectChangesTheMethodAsTheStatusSaysAndKeepsSecretsAtHome) {
    struct Case {
        int status;
        const char* method;
        const char* other_host;  // Or none.
        const char* want_method;
        bool want_body;
        bool want_secrets;
    };
    const Case cases[] = {
        {301, "POST", nullptr, "GET", false, true},
        {302, "POST", nullptr, "GET", false, true},
        {303, "PUT", nullptr, "GET", false, true},
        {303, "HEAD", nullptr, "HEAD", false, true},
        {302, "PUT", nullptr, "PUT", true, true},
        {307, "POST", nullptr, "POST", true, true},
        {308, "POST", nullptr, "POST", true, true},
        {307, "POST", "b.example", "POST", true, false},
        {303, "POST", "b.example", "GET", false, false},
    };
    resolver.set_addresses("a.example", {"127.0.0.1"});
    resolver.set_addresses("b.example", {"127.0.0.1"});
    for (const auto& c : cases) {
        SCOPED_TRACE(std::to_string(c.status) + " " + c.method);
        serve({});
        const auto target = c.other_host ? url(c.other_host, "/next") : "/next";
        const auto port = server->port();
        client.reset();
        server.reset();
        server = std::make_unique<ScriptedServer>(
            std::vector{ScriptedServer::answer(c.status, "",
                                               "Connection: close\r\nLocation: " + target + "\r\n"),
                        ScriptedServer::answer(200, "")},
            port);
        client = std::make_unique<HttpClient>(HttpClientOptions{}, guard);
        HttpRequest request{.method = c.method, .url = *Url::parse(url("a.example"))};
        request.headers = {{"Authorization", "Bearer x"},
                           {"Cookie", "y"},
                           {"Content-Type", "text/plain"},
                           {"X-Other", "z"}};
        request.body = c.method == std::string_view("HEAD") ? "" : "payload";
        request.limits.redirects_max = 1;
        const auto answer = client->send(request);
        ASSERT_TRUE(answer) << answer.error().message;
        const auto sent = server->requests().at(1);
        const auto has = [&](const char* text) { return sent.find(text) != sent.npos; };
        EXPECT_TRUE(sent.starts_with(std::string(c.want_method) + " /next ")) << sent;
        EXPECT_EQ(has("payload"), c.want_body);
        EXPECT_EQ(has("Content-Type"), c.want_body || std::string_view(c.method) == "HEAD");
        EXPECT_EQ(has("Authorization"), c.want_secrets);
        EXPECT_EQ(has("Cookie"), c.want_secrets);
        EXPECT_TRUE(has("X-Other: z"));
    }
}

TEST_F(GuardedRequestTest, TheHostHeaderIsNotTheCallersToSet) {
    serve({});
    resolver.set_addresses("hook.example", {"127.0.0.1"});
    HttpRequest request{.url = *Url::parse(url("hook.example")), .headers = {{"hOST", "inside"}}};
    EXPECT_EQ(client->send(request).error().problem, HttpProblem::bad_request);
}

TEST_F(GuardedRequestTest, WithoutAGuardNothingGuardedIsSent) {
    serve({ScriptedServer::answer(200, "reached")});
    HttpClient unguarded({});
    const auto answer = unguarded.send({.url = *Url::parse(server->url())});
    EXPECT_EQ(answer.error().problem, HttpProblem::refused_by_guard);
}

TEST_F(GuardedRequestTest, AConnectionGetsNoSocketToAnAddressThatWasNotChecked) {
    serve({ScriptedServer::answer(200, "reached")});
    // As if libcurl had understood another address than the guard.
    const auto elsewhere = address("127.0.0.9");
    const auto target = *Url::parse(server->url());
    const HttpLimits limits;
    HttpConnection connection(HttpClientOptions{});
    const auto answer = connection.run({"GET", target, {}, "", &elsewhere, limits, 1s});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().problem, HttpProblem::refused_by_guard);
    EXPECT_EQ(server->connections(), 0);
}

}  // namespace
}  // namespace mailroom::net
