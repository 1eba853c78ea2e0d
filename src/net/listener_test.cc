#include "net/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mailroom::net {
namespace {

int connect_to(std::uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
}

TEST(Listener, AcceptsWhoeverConnectsOneByOne) {
    auto listener = Listener::open("localhost", 0);
    ASSERT_TRUE(listener) << listener.error().message;
    EXPECT_EQ(listener->address(), "localhost:" + std::to_string(listener->port()));
    const auto nobody = listener->accept();
    ASSERT_TRUE(nobody);
    EXPECT_FALSE(*nobody);

    const int clients[] = {connect_to(listener->port()), connect_to(listener->port())};
    for (const int client : clients) {
        pollfd waiting = {.fd = listener->descriptor(), .events = POLLIN, .revents = 0};
        ASSERT_EQ(::poll(&waiting, 1, 10'000), 1);
        const auto arrival = listener->accept();
        ASSERT_TRUE(arrival && *arrival);
        EXPECT_EQ((*arrival)->address.text(), "127.0.0.1");
        EXPECT_NE((*arrival)->port, 0);
        ::close((*arrival)->socket);
        ::close(client);
    }
}

TEST(Listener, LeavesAQuarterOfTheFilesToTheProcessItself) {
    auto listener = Listener::open("127.0.0.1", 0);
    ASSERT_TRUE(listener);
    std::vector<int> clients;
    for (int i = 0; i < 100; ++i) clients.push_back(connect_to(listener->port()));
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const auto next = static_cast<rlim_t>(*std::ranges::max_element(clients)) + 1;
    const rlimit few{(next + 10) * 4 / 3, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);

    int accepted = 0;
    auto arrival = listener->accept();
    for (; arrival && *arrival && accepted < 100; arrival = listener->accept()) {
        clients.push_back((*arrival)->socket);
        ++accepted;
    }
    EXPECT_GT(accepted, 5);
    EXPECT_LT(accepted, 15);
    ASSERT_FALSE(arrival);
    EXPECT_EQ(arrival.error().code, Errc::unavailable);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_TRUE(*listener->accept());
    for (const int client : clients) ::close(client);
}

TEST(Listener, RefusesHostsThatAreNoAddressAndPortsThatAreTaken) {
    for (const auto* host : {"", "mail.example", "127.0.0.256", "[::1]"}) {
        SCOPED_TRACE(host);
        const auto listener = Listener::open(host, 0);
        ASSERT_FALSE(listener);
        EXPECT_EQ(listener.error().code, Errc::invalid);
        EXPECT_EQ(listener.error().message,
                  "\"" + std::string(host) + "\" is not an address to listen on");
    }
    const auto first = Listener::open("127.0.0.1", 0);
    ASSERT_TRUE(first);
    const auto second = Listener::open("127.0.0.1", first->port());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Errc::unavailable);
    EXPECT_TRUE(second.error().message.starts_with("cannot listen on " + first->address() + ": "))
        << second.error().message;
}

TEST(Listener, ListensNoMoreOnceClosed) {
    auto first = Listener::open("127.0.0.1", 0);
    ASSERT_TRUE(first);
    first->close();
    EXPECT_FALSE(first->is_open());
    EXPECT_TRUE(Listener::open("127.0.0.1", first->port()));
}

}  // namespace
}  // namespace mailroom::net
