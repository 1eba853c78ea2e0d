#include "smtp/server_receiver.h"

namespace mailroom::smtp {

Decision Decision::refuse(int code, EnhancedStatus enhanced, std::string text) {
    Decision decision;
    decision.kind = Kind::refuse;
    decision.reply = Reply{code, enhanced, {std::move(text)}};
    return decision;
}

Answer::~Answer() {
    if (deliver_) deliver_(Decision::refuse(451, {4, 3, 0}, "The request could not be handled"));
}

void Answer::operator()(Decision decision) {
    if (const auto deliver = std::exchange(deliver_, nullptr)) deliver(std::move(decision));
}

void Receiver::connected(const Peer&, Answer answer) { answer.accept(); }
void Receiver::hello(const Peer&, Answer answer) { answer.accept(); }
void Receiver::authenticate(const Peer&, const Credentials&, Answer answer) {
    answer.refuse(535, {5, 7, 8}, "Authentication credentials invalid");
}
void Receiver::sender(const Peer&, const Envelope&, Answer answer) { answer.accept(); }
void Receiver::recipient(const Peer&, const Envelope&, const Path&, Answer answer) {
    answer.accept();
}
void Receiver::data(const Peer&, const Envelope&, Answer answer) { answer.accept(); }
void Receiver::ended(const Peer&) {}

}  // namespace mailroom::smtp
