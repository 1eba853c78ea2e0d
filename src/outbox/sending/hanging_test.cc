// What is for those that answer goes on while thousands of others hang.
#include "base/scratch_directory.h"
#include "net/silent_server.h"
#include "outbox/accept/outbox_fixture.h"
#include "outbox/callbacks/calling_for_tests.h"
#include "outbox/fetching/fetching.h"
#include "outbox/transports/delivering_for_tests.h"
#include "outbox/transports/mx.h"
#include "smtp/scripted_peer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

// A crew with threads, as in the program.
class HangingCallbacksTest : public CallingTest {
protected:
    void SetUp() override {
        CallingTest::SetUp();
        http = std::make_unique<net::HttpClient>(net::HttpClientOptions{}, loopback);
        crew = std::make_unique<schedule::Crew>(
            *node->schedule, clock,
            schedule::CrewOptions{
                .queues = {std::string(callback_queue)}, .threads = 2, .jobs_max = 8192},
            [this](schedule::JobInHand job) { callbacks->run(std::move(job)); });
        callbacks = std::make_unique<Callbacks>(node->ledger, node->blobs, *node->schedule, *http,
                                                clock, random, CallbackOptions{.timeout = 1h},
                                                [this] { return crew->await(); });
    }
    void TearDown() override {
        stop();
        CallingTest::TearDown();
    }
    void stop() {
        if (!crew) return;
        callbacks->stop();
        crew->stop(0ms);
        http->stop();
        EXPECT_EQ(crew->stop(1min), 0u);
        crew.reset();
    }
    void wait_for(const std::string& id, State state) {
        while (mail(id).state != state) std::this_thread::yield();
    }

    net::Guard loopback{resolver, {.allowed = {*net::Network::parse("127.0.0.0/8")}}};
    std::unique_ptr<schedule::Crew> crew;
};

std::string ok() { return net::ScriptedServer::answer(200, "", "Connection: close\r\n"); }

TEST_F(HangingCallbacksTest, ACallbackGoesPastThousandsOfServersThatHang) {
    constexpr std::size_t hosts = 2000;
    const net::SilentServer silent;
    Server good({ok()});
    std::vector<std::string> hanging;
    for (std::size_t i = 0; i < hosts; ++i) {
        hanging.push_back(settled_mail(payload_for(silent.url(i))));
    }
    const auto id = settled_mail(payload_for(good.url()));
    crew->start();
    wait_for(id, State::sent_acknowledged);
    stop();
    for (const auto& one : hanging) {
        EXPECT_NE(mail(one).state, State::sent_acknowledged);
        EXPECT_TRUE(log(one).empty()) << "being stopped is no failure";
        EXPECT_TRUE(mail(one).job) << "the next start goes on with it";
    }
    EXPECT_GT(silent.connections(), 0u);
}

TEST_F(HangingCallbacksTest, ACallbackGoesPastThousandsForOneServerThatHangs) {
    constexpr std::size_t mails = 2000;
    const net::SilentServer silent;
    Server good({ok()});
    for (std::size_t i = 0; i < mails; ++i) settled_mail(payload_for(silent.url()));
    const auto id = settled_mail(payload_for(good.url()));
    crew->start();
    wait_for(id, State::sent_acknowledged);
    EXPECT_LE(silent.connections(), DestinationLimits{}.first_visits) << "it has its share only";
}

class HangingAttachmentsTest : public OutboxTest {
protected:
    // Takes in what is due until `wanted` are ready, and then stops.
    void take_in_until_ready(const std::vector<std::string>& wanted) {
        net::HttpClient http({}, loopback);
        schedule::Crew* running = nullptr;
        Fetching fetching(*ledger, *blobs, *schedule, http, clock, random,
                          {.attachments_directory = scratch.path()},
                          [&] { return running->await(); });
        schedule::Crew crew(
            *schedule, clock,
            {.queues = {std::string(fetching_queue)}, .threads = 2, .jobs_max = 4096},
            [&](schedule::JobInHand job) { fetching.run(std::move(job)); });
        running = &crew;
        crew.start();
        for (const auto& id : wanted) {
            while (found(id).state != State::ready) std::this_thread::yield();
        }
        crew.stop(0ms);
        http.stop();
        EXPECT_EQ(crew.stop(1min), 0u) << "who stops waits for nobody outside";
    }
    std::string add(int number, const std::string& attachment) {
        char id[37];
        std::snprintf(id, sizeof id, "00000000-0000-4000-8000-%012d", number);
        const auto accepted = accept(minimal(id, R"(,"attachments":[{)" + attachment + "}]"));
        EXPECT_TRUE(accepted);
        return id;
    }

    net::Guard loopback{resolver, {.allowed = {*net::Network::parse("127.0.0.0/8")}}};
    ScratchDirectory scratch;
};

TEST_F(HangingAttachmentsTest, FilesAndServersThatAnswerDoNotWaitForThoseThatHang) {
    std::ofstream(scratch / "n.txt") << "here";
    const net::SilentServer silent;
    net::ScriptedServer good({net::ScriptedServer::answer(200, "there", "Connection: close\r\n")});
    std::vector<std::string> hanging;
    for (int i = 0; i < 1000; ++i) {
        const auto host = static_cast<std::size_t>(i);
        hanging.push_back(add(i, R"("url":")" + silent.url(host) + "/x\""));
    }
    for (int i = 1000; i < 1500; ++i)
        hanging.push_back(add(i, R"("url":")" + silent.url() + "/x\""));
    const auto by_url = add(2000, R"("url":")" + good.url() + "/a.txt\"");
    const auto by_path = add(2001, R"("path":"n.txt")");
    take_in_until_ready({by_url, by_path});
    EXPECT_NE(message_of(by_url).find("dGhlcmU="), std::string::npos);
    EXPECT_LE(silent.connections(), 1000u + DestinationLimits{}.first_visits);
    for (const auto& id : hanging) {
        const auto mail = found(id);
        EXPECT_EQ(mail.state, State::accepted);
        EXPECT_EQ(mail.reason, "") << "being stopped is no failure";
        EXPECT_TRUE(mail.job) << "the next start goes on with it";
    }
}

class HangingDomainsTest : public SendingTest {
protected:
    // The sender, with mx as its transport, as in the program.
    void start_sending(std::uint16_t port) {
        smtp::Timeouts patient;
        patient.connect = patient.greeting = patient.command = 1h;
        mx = *Mx::open(resolver, guard, clock,
                       {.hello_name = "us.example", .port = port, .timeouts = patient});
        used = mx.get();
        node = make_node({.sender = {.connections = 2048}, .threads = 2, .jobs_max = 8192});
    }
    void TearDown() override {
        node->crew->stop(0ms);
        mx->stop(0ms);
        EXPECT_EQ(node->crew->stop(1min), 0u) << "who stops waits for nobody outside";
    }
    void set_domain(const std::string& domain, const char* address) {
        resolver.set_mail_route(domain, {net::FakeResolver::Route(net::MailRoute{
                                            net::MailRoute::Kind::by_mx, {{10, "mx." + domain}}})});
        resolver.set_addresses("mx." + domain, {address});
    }
    void wait_for(const std::string& id, State state) {
        while (mail(id).state != state) std::this_thread::yield();
    }

    net::FakeResolver resolver;
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.0/8")}}};
    std::unique_ptr<Mx> mx;
};

TEST_F(HangingDomainsTest, AMailGoesPastThousandsForDomainsWhoseServersHang) {
    smtp::ScriptedPeer peer([](smtp::PeerConnection& client) { serve(client, {}); });
    const net::SilentServer silent("127.0.0.2", peer.port());
    set_domain("good.example", "127.0.0.1");
    std::vector<std::string> hanging;
    for (int i = 0; i < 1000; ++i) {
        const auto domain = "hangs" + std::to_string(i) + ".example";
        set_domain(domain, "127.0.0.2");
        hanging.push_back(add_mail({.to = {"b@" + domain}}));
    }
    for (int i = 0; i < 1000; ++i) hanging.push_back(add_mail({.to = {"b@hangs0.example"}}));
    const auto id = add_mail({.to = {"b@good.example"}});
    const auto both = add_mail({.to = {"b@hangs0.example", "b@good.example"}});
    start_sending(peer.port());
    wait_for(id, State::sent);
    while (mail(both).recipients[1].state != Recipient::State::delivered) {
        std::this_thread::yield();
    }
    EXPECT_EQ(mail(both).recipients[0].state, Recipient::State::waiting);
    EXPECT_GE(mx->busy_until({"b@hangs0.example"}), clock.now()) << "it has its share only";
    EXPECT_FALSE(mx->busy_until({"b@hangs0.example", "b@good.example"}));
    node->crew->stop(0ms);
    mx->stop(0ms);
    EXPECT_EQ(node->crew->stop(1min), 0u);
    for (const auto& one : hanging) {
        const auto left = mail(one);
        EXPECT_EQ(left.state, State::ready) << "it is neither lost nor in doubt";
        EXPECT_TRUE(left.job);
    }
    peer.finish();
}

TEST_F(HangingDomainsTest, AMailGoesPastNameServersThatHang) {
    // Keeps every question but one.
    class Silent final : public net::Resolver {
    public:
        Result<net::MailRoute, net::DnsFailure> mail_route(std::string_view domain) override {
            return net::MailRoute{net::MailRoute::Kind::implicit, {{0, std::string(domain)}}};
        }
        Result<std::vector<net::IpAddress>, net::DnsFailure> addresses(std::string_view,
                                                                       net::Family) override {
            return std::vector{*net::IpAddress::parse("127.0.0.1")};
        }
        Result<std::vector<std::string>, net::DnsFailure> texts(std::string_view) override {
            return net::DnsFailure{net::NoRecords::no_data, ""};
        }
        void find_mail_route(std::string_view domain, RouteDone done) override {
            if (domain == "good.example") return done(mail_route(domain));
            const std::lock_guard lock(mutex_);
            kept_.push_back(std::move(done));
        }

    private:
        std::mutex mutex_;
        std::vector<RouteDone> kept_;
    };
    smtp::ScriptedPeer peer([](smtp::PeerConnection& client) { serve(client, {}); });
    Silent silent;
    for (int i = 0; i < 500; ++i) {
        add_mail({.to = {"b@hangs" + std::to_string(i) + ".example"}});
    }
    const auto id = add_mail({.to = {"b@good.example"}});
    const net::Guard open_guard(silent, {.allowed = {*net::Network::parse("127.0.0.0/8")}});
    mx = *Mx::open(silent, open_guard, clock, {.hello_name = "us.example", .port = peer.port()});
    used = mx.get();
    node = make_node({.sender = {.connections = 2048}, .threads = 2, .jobs_max = 8192});
    wait_for(id, State::sent);
    TearDown();
    peer.finish();
    mx.reset();
    mx = *Mx::open(resolver, guard, clock, {});
}

}  // namespace
}  // namespace mailroom::outbox
