#include "net/fake_resolver.h"
#include "net/http_client.h"
#include "net/scripted_server.h"
#include "net/silent_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <mutex>

namespace mailroom::net {
namespace {

using namespace std::chrono_literals;
using Answer = Result<HttpAnswer, HttpFailure>;

// Keeps the questions until it is told to answer them.
class SlowResolver final : public Resolver {
public:
    Result<MailRoute, DnsFailure> mail_route(std::string_view) override { return no(); }
    Result<std::vector<IpAddress>, DnsFailure> addresses(std::string_view, Family) override {
        return no();
    }
    Result<std::vector<std::string>, DnsFailure> texts(std::string_view) override { return no(); }
    void find_addresses(std::string_view name, AddressesDone done) override {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(name, std::move(done));
    }
    void answer(const std::string& name, const char* address) {
        AddressesDone done;
        {
            const std::lock_guard lock(mutex_);
            done = std::move(waiting_.extract(name).mapped());
        }
        done(std::vector{*IpAddress::parse(address)});
    }

private:
    static DnsFailure no() { return {NoRecords::temporary, "not asked this way"}; }
    std::mutex mutex_;
    std::map<std::string, AddressesDone> waiting_;
};

class HttpStartTest : public ::testing::Test {
protected:
    static HttpRequest get(const std::string& url, Reach reach = Reach::guarded) {
        HttpRequest request{.url = *Url::parse(url), .reach = reach};
        request.limits.total_timeout = 1h;
        request.limits.connect_timeout = 1h;
        return request;
    }
    Answer wait_for(HttpClient& client, HttpRequest request) {
        std::promise<Answer> promise;
        client.start(std::move(request),
                     [&](Answer answer) { promise.set_value(std::move(answer)); });
        return promise.get_future().get();
    }

    FakeResolver resolver;
    Guard guard{resolver, {.allowed = {*Network::parse("127.0.0.0/8")}}};
};

TEST_F(HttpStartTest, ThousandsThatHangHoldUpNobody) {
    constexpr std::size_t hosts = 3000;
    const SilentServer silent;
    ScriptedServer good({ScriptedServer::answer(200, "here")});
    std::atomic<std::size_t> ended = 0;
    HttpClient client({}, guard);
    for (std::size_t i = 0; i < hosts; ++i) {
        client.start(get(silent.url(i)), [&](const Answer& answer) {
            EXPECT_EQ(answer.error().problem, HttpProblem::stopped);
            ++ended;
        });
    }
    const auto answer = wait_for(client, get(good.url()));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "here");
    EXPECT_EQ(ended, 0u) << "the good one waited for none of the others";
    client.stop();
    EXPECT_EQ(ended, hosts) << "who stops waits for nobody outside";
    EXPECT_EQ(wait_for(client, get(good.url())).error().problem, HttpProblem::stopped);
}

TEST_F(HttpStartTest, SendsWhatWasGivenAndFollowsAsSendDoes) {
    ScriptedServer server({ScriptedServer::answer(307, "", "Location: /there\r\n"),
                           ScriptedServer::answer(200, "moved"),
                           ScriptedServer::answer(302, "", "Location: http://10.0.0.1/\r\n"),
                           ScriptedServer::answer(302, "", "Location: /a\r\n"),
                           ScriptedServer::answer(302, "", "Location: /b\r\n")});
    HttpClient client({}, guard);
    auto post = get(server.url() + "/here");
    post.limits.redirects_max = 1;
    {
        const std::string gone = "the body";
        post.method = "POST";
        post.body = gone;
        const auto answer = wait_for(client, post);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, "moved");
    }
    ASSERT_EQ(server.requests().size(), 2u);
    EXPECT_TRUE(server.requests()[1].starts_with("POST /there ")) << server.requests()[1];
    EXPECT_TRUE(server.requests()[1].ends_with("\r\n\r\nthe body"));
    auto request = get(server.url());
    request.limits.redirects_max = 1;
    const auto inside = wait_for(client, request).error();
    EXPECT_EQ(inside.problem, HttpProblem::refused_by_guard);
    EXPECT_TRUE(inside.may_have_arrived);
    EXPECT_EQ(wait_for(client, request).error().problem, HttpProblem::too_many_redirects);
}

TEST_F(HttpStartTest, SaysWhyThereIsNoAnswer) {
    struct Case {
        const char* name;
        std::string url, answer;
        HttpProblem want;
    };
    const Case cases[] = {
        {"forbidden", "http://10.0.0.1/", "", HttpProblem::refused_by_guard},
        {"no such name", "http://none.example/", "", HttpProblem::unresolved},
        {"closed", "", "", HttpProblem::lost},
        {"too large", "", ScriptedServer::answer(200, std::string(101, 'x')),
         HttpProblem::too_large},
        {"silent", "", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", HttpProblem::timed_out},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ScriptedServer server({c.answer});
        HttpClient client({}, guard);
        auto request = get(c.url.empty() ? server.url() : c.url);
        request.limits.total_timeout = 500ms;
        request.limits.answer_bytes_max = 100;
        const auto answer = wait_for(client, request);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().problem, c.want) << answer.error().message;
    }
    HttpClient without_guard({});
    EXPECT_EQ(wait_for(without_guard, get("http://example.com/")).error().problem,
              HttpProblem::refused_by_guard);
}

TEST_F(HttpStartTest, NameServersThatDoNotAnswerHoldUpNobodyAndAreNotWaitedForAtTheEnd) {
    ScriptedServer good({ScriptedServer::answer(200, "named")});
    SlowResolver slow;
    const Guard slow_guard(slow, {.allowed = {*Network::parse("127.0.0.0/8")}});
    std::atomic<int> stopped = 0;
    {
        HttpClient client({}, slow_guard);
        for (int i = 0; i < 100; ++i) {
            const auto name = "http://silent" + std::to_string(i) + ".example/";
            client.start(get(name), [&](const Answer& answer) {
                stopped += answer.error().problem == HttpProblem::stopped;
            });
        }
        auto impatient = get("http://impatient.example/");
        impatient.limits.total_timeout = 10ms;
        EXPECT_EQ(wait_for(client, impatient).error().problem, HttpProblem::timed_out);

        const auto port = std::to_string(good.port());
        std::promise<Answer> promise;
        client.start(get("http://good.example:" + port + "/"),
                     [&](Answer answer) { promise.set_value(std::move(answer)); });
        slow.answer("good.example", "127.0.0.1");
        const auto answer = promise.get_future().get();
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, "named");
        EXPECT_EQ(stopped, 0);
    }
    EXPECT_EQ(stopped, 100);
    slow.answer("silent7.example", "127.0.0.1");
    slow.answer("impatient.example", "127.0.0.1");
    EXPECT_EQ(stopped, 100) << "nobody is told twice";
}

TEST_F(HttpStartTest, AnswersShareTheRoomTheyAreGiven) {
    ScriptedServer server({ScriptedServer::answer(200, std::string(80, 'x')),
                           ScriptedServer::answer(200, std::string(80, 'y')),
                           ScriptedServer::answer(200, std::string(80, 'z'))});
    ByteBudget budget(100);
    HttpClient client({}, guard);
    auto request = get(server.url());
    request.limits.budget = &budget;
    {
        const auto first = wait_for(client, request);
        ASSERT_TRUE(first);
        EXPECT_EQ(budget.taken(), 80u);
        EXPECT_EQ(wait_for(client, request).error().problem, HttpProblem::busy);
    }
    EXPECT_EQ(budget.taken(), 0u);
    EXPECT_TRUE(wait_for(client, request));
}

}  // namespace
}  // namespace mailroom::net
