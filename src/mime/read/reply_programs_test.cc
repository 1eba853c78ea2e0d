// What mail programs write around a reply, in their languages: the own words stay, the rest goes.
#include "mime/read/device_signature.h"
#include "mime/read/reply_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace mailroom::mime {
namespace {

// clang-format off
constexpr std::string_view attributions[] = {
    // Gmail
    "On Mon, Jan 5, 2026 at 10:00 AM Bob Meier <bob@example.org> wrote:",
    "On Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:",
    "On Mon, 5 Jan 2026, 10:00 Bob Meier, <bob@example.org> wrote:",
    "Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb Bob Meier <bob@example.org>:",
    "Bob Meier <bob@example.org> schrieb am Mo., 5. Jan. 2026, 10:00:",
    "Le lun. 5 janv. 2026 à 10:00, Bob Meier <bob@example.org> a écrit :",
    "El lun, 5 ene 2026 a las 10:00, Bob Meier (<bob@example.org>) escribió:",
    "Il giorno lun 5 gen 2026 alle ore 10:00 Bob Meier <bob@example.org> ha scritto:",
    "Op ma 5 jan 2026 om 10:00 schreef Bob Meier <bob@example.org>:",
    "Em seg., 5 de jan. de 2026 às 10:00, Bob Meier <bob@example.org> escreveu:",
    "pon., 5 sty 2026 o 10:00 Bob Meier <bob@example.org> napisał(a):",
    "пн, 5 янв. 2026 г. в 10:00, Bob Meier <bob@example.org>:",
    "2026年1月5日(月) 10:00 Bob Meier <bob@example.org>:",
    "Bob Meier <bob@example.org> 于2026年1月5日周一 10:00写道：",
    "Bob Meier <bob@example.org> 於 2026年1月5日 週一 上午10:00寫道：",
    "Den mån 5 jan. 2026 kl 10:00 skrev Bob Meier <bob@example.org>:",
    "Den man. 5. jan. 2026 kl. 10.00 skrev Bob Meier <bob@example.org>:",
    "Bob Meier <bob@example.org>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:",
    "Bob Meier <bob@example.org> ezt írta (időpont: 2026. jan. 5., H, 10:00):",
    "Pe lun., 5 ian. 2026 la 10:00, Bob Meier <bob@example.org> a scris:",
    "2026년 1월 5일 (월) 오전 10:00, Bob Meier <bob@example.org>님이 작성:",
    "пн, 5 січ. 2026 р. о 10:00 Bob Meier <bob@example.org> пише:",
    "Στις Δευ, 5 Ιαν 2026 στις 10:00 π.μ., ο χρήστης Bob Meier <bob@example.org> έγραψε:",
    "ma 5. tammik. 2026 klo 10.00 Bob Meier (bob@example.org) kirjoitti:",
    "ma 5.1.2026 klo 10.00 Bob Meier (bob@example.org) kirjoitti:",
    "po 5. 1. 2026 v 10:00 odesílatel Bob Meier <bob@example.org> napsal:",
    // Apple Mail
    "On 5 Jan 2026, at 10:00, Bob Meier <bob@example.org> wrote:",
    "On Jan 5, 2026, at 10:00\u202fAM, Bob Meier <bob@example.org> wrote:",
    "Am 05.01.2026 um 10:00 schrieb Bob Meier <bob@example.org>:",
    "Le 5 janv. 2026 à 10:00, Bob Meier <bob@example.org> a écrit :",
    "El 5 ene 2026, a las 10:00, Bob Meier <bob@example.org> escribió:",
    "Il giorno 5 gen 2026, alle ore 10:00, Bob Meier <bob@example.org> ha scritto:",
    "Op 5 jan 2026, om 10:00 heeft Bob Meier <bob@example.org> het volgende geschreven:",
    "No dia 5 de jan. de 2026, às 10:00, Bob Meier <bob@example.org> escreveu:",
    "Wiadomość napisana przez Bob Meier <bob@example.org> w dniu 05.01.2026, o godz. 10:00:",
    "5 янв. 2026 г., в 10:00, Bob Meier <bob@example.org> написал(а):",
    "2026/01/05 10:00、Bob Meier <bob@example.org>のメール:",
    "2026年1月5日 10:00，Bob Meier <bob@example.org> 写道：",
    "5 jan. 2026 kl. 10:00 skrev Bob Meier <bob@example.org>:",
    // Thunderbird
    "On 1/5/26 10:00, Bob Meier wrote:",
    "On 2026-01-05 10:00 a.m., Bob Meier wrote:",
    "Am 05.01.26 um 10:00 schrieb Bob Meier:",
    "Le 05/01/2026 à 10:00, Bob Meier a écrit\u00a0:",
    "El 5/1/26 a las 10:00, Bob Meier escribió:",
    "Il 05/01/2026 10:00, Bob Meier ha scritto:",
    "Op 05-01-2026 om 10:00 schreef Bob Meier:",
    "Em 05/01/2026 10:00, Bob Meier escreveu:",
    "W dniu 05.01.2026 o 10:00, Bob Meier pisze:",
    "05.01.2026 10:00, Bob Meier пишет:",
    "Den 2026-01-05 kl. 10:00, skrev Bob Meier:",
    "Den 05.01.2026 kl. 10:00 skrev Bob Meier:",
    // Zoho, Mail.ru
    "---- On Mon, 05 Jan 2026 10:00:00 +0100 Bob Meier <bob@example.org> wrote ----",
    "---- On Mon, 05 Jan 2026 10:00:00 +0100 Bob Meier <bob@example.org> wrote ---",
    "Понедельник, 5 января 2026, 10:00 +03:00 от Bob <bob@mail.ru>:",
    // Proton Mail, Yahoo, Outlook for Mac, mutt, names of all kinds
    "On Monday, January 5th, 2026 at 10:00 AM, Bob Meier <bob@example.org> wrote:",
    "On Monday, January 5, 2026 at 10:00:00 AM GMT+1, Bob Meier <bob@example.org> wrote:",
    "On Mon, Jan 05, 2026 at 10:00:00AM +0100, Bob Meier wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM Dr. Ursula von der Heide (Example Ltd.) <u@example.org> wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM \"Meier, Bob\" <bob@example.org> wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM bob meier <bob@example.org> wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM 'Bob Meier' via Sales <sales@example.org> wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM <bob@example.org> wrote:",
    "Bob Meier <bob@example.org> wrote:",
};

// Lines of people that look like marks, or like the beginnings of such.
constexpr std::string_view own_lines[] = {
    "please cancel order 4711",
    "and refund me.",
    "Hi Bob,",
    "On Monday I ordered 2 chairs",
    "On 5 Jan 2026 I paid 20.00 EUR",
    "On Monday",
    "Am 05.01.2026 um 10:00 war ich da",
    "Le 5 janv. 2026 j'ai payé",
    "El lunes pagué 20",
    "call me at 10:00, or write to ann@example.com",
    "My address is Ann Miller <ann@example.com>",
    "Bob wrote: I may have it back",
    "He wrote:",
    "From: Berlin",
    "To: Paris",
    "Subject: none",
    "Date: 5 May",
    "Sent from our Berlin office on Monday, tracking 1Z999.",
    "Sent from my desk",
    "Get Outlook to work, please",
    "_________",
    "--",
    "--- Options ---",
    "Original message below",
    "2026-01-05 10:00 was the time",
    "5 Jan 2026",
    "Ann Miller",
    "Thanks!",
    "schrieb ich am 5. Januar:",
    "пн, 5 янв. я писал",
    "->500",
    "* one",
    "On 5 January",
    "On 05.01.2026 Order 4711 Cancelled",
    "Am 05.01.2026 um 10:00 Storno Bestellung 4711",
    "Den 5 jan. 2026 kl. 10:00 Order 4711",
    "Dnia 05.01.2026 Zamówienie 4711 Anulować",
    "5 января 2026 в 10:00 отмените заказ 4711",
    "5 января 2026 в 10:00 заплатил, верните деньги",
    "5. ledna 2026 v 10:00 zaplaceno, Žádám vrácení",
    "2026年1月5日 10:00 请取消订单4711并退款",
    "2026年1月5日10:00に注文4711をキャンセルしてください",
    "5 Jan 2026 10:00 Order 4711 Cancelled, Berlin",
    "On 5 Jan 2026 at 10:00 I moved to ann@new.example",
    "Ann Miller <ann@new.example>",
    "ORDER CANCELLED",
};

// Sentences of people that end as attributions do.
constexpr std::string_view own_sentences[] = {
    "On 5 Jan 2026 I ordered item 4711 as ann@x.org and Bob wrote:",
    "On 5 Jan 2026 I paid 20 EUR to bob@x.org who wrote:",
    "On 5 Jan 2026 at 10:00 refund the order, Bob <bob@x.org> wrote:",
    "Am 05.01.2026 habe ich bestellt, Ihr Bob <bob@x.org> schrieb:",
    "Le 5 janvier 2026 j'ai payé 20 EUR, Bob <bob@x.org> a écrit :",
    "El 5 enero 2026 pagué 20 EUR y Bob <bob@x.org> escribió:",
    "Верните деньги, ваш менеджер Bob <bob@x.org> написал:",
    "Почему ваш оператор Bob <bob@x.org> пишет:",
    "CANCEL MY ORDER, Bob <bob@x.org> wrote:",
    "请取消订单 <bob@x.org> 写道：",
    "Στείλτε πίσω τα χρήματα, ο Bob <bob@x.org> wrote:",
};

// What a program writes on one line, and a person's line above it does not become a part of.
constexpr std::string_view short_attributions[] = {
    "Bob Meier <bob@x.org> wrote:",    "Bob Meier <bob@x.org> schrieb:",
    "Bob Meier <bob@x.org> skrev:",    "Bob <bob@x.org> pisze:",
    "Bob <bob@example.org>のメール:", "Bob <bob@x.org> 写道：",
    "Bob <bob@x.org>:",                "Bob Meier пишет:",
    "Bob wrote:",                      "wrote:",
    "Bob Meier <bob@x.org> napsal:",
};
// clang-format on

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text;
}

bool has_line(const std::string& text, std::string_view line) {
    return ("\n" + text + "\n").find("\n" + std::string(line) + "\n") != std::string::npos;
}

TEST(ReplyPrograms, AnAttributionOfEachProgramAndLanguageGoesWithItsQuote) {
    for (const auto attribution : attributions) {
        SCOPED_TRACE(attribution);
        const auto quote = std::string(attribution) + "\n> ok?\n";
        EXPECT_EQ(split_reply("Yes.\n\n" + quote).new_content, "Yes.");
        EXPECT_EQ(split_reply("Yes.\n" + quote).new_content, "Yes.");
        EXPECT_EQ(split_reply("Yes.\n" + std::string(attribution) + "\n\n> ok?\n").new_content,
                  "Yes.");
        EXPECT_EQ(split_reply(quote + "\nYes.").new_content, "Yes.") << "below the quote";
        EXPECT_EQ(split_reply(quote + "Yes.\n> and?\nNo.").new_content, "Yes.\nNo.") << "between";
        EXPECT_EQ(split_reply("Yes.\n" + quote).quoted, std::string(attribution) + "\n> ok?");
    }
}

// Where the character after `count` others begins.
std::size_t after_characters(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
        if (begins_character && count-- == 0) break;
    }
    return at;
}

// Breaks `text` at the last blank before `width`, as mail programs do.
std::string wrapped(std::string_view text, std::size_t width) {
    std::string out;
    for (auto end = after_characters(text, width); end < text.size();
         end = after_characters(text, width)) {
        const auto at = text.rfind(' ', end);
        if (at == text.npos || at == 0) break;
        out.append(text.substr(0, at)).append("\n");
        text.remove_prefix(at + 1);
    }
    return out.append(text);
}

TEST(ReplyPrograms, AWrappedAttributionOfTwoOrThreeLinesGoesWithItsQuote) {
    for (const auto attribution : attributions) {
        for (const std::size_t width : {60u, 66u, 72u, 76u, 80u}) {
            const auto lines = wrapped(attribution, width);
            SCOPED_TRACE(lines);
            EXPECT_EQ(split_reply("Yes.\n\n" + lines + "\n> ok?\n").new_content, "Yes.");
        }
    }
}

TEST(ReplyPrograms, EveryOwnLineAboveAnAttributionIsKeptWhateverPrecedesIt) {
    std::minstd_rand random(1);
    const auto pick = [&](const auto& from) { return from[random() % std::size(from)]; };
    for (const auto attribution : attributions) {
        for (int round = 0; round < 300; ++round) {
            std::vector<std::string> own;
            for (auto count = 1 + random() % 5; count > 0; --count) {
                own.emplace_back(pick(own_lines));
                if (random() % 4 == 0) own.emplace_back();
            }
            const auto width = random() % 2 == 0 ? 1000 : 30 + random() % 50;
            const auto body = joined(own) + wrapped(attribution, width) + "\n> ok?\n> old\n";
            SCOPED_TRACE(body);
            const auto got = split_reply(body).new_content;
            for (const auto& line : own) {
                if (line.empty()) continue;
                ASSERT_TRUE(has_line(got, line)) << line << " is lost in:\n" << got;
            }
            if (width == 1000) {
                ASSERT_FALSE(has_line(got, attribution));
            }
        }
    }
}

TEST(ReplyPrograms, AnOwnLineIsNeverTheFirstOfAnAttribution) {
    for (const auto own : own_lines) {
        for (const auto attribution : short_attributions) {
            for (const std::string_view between : {"", "\nBob Meier", "\nplease"}) {
                const auto body = "Hi,\n" + std::string(own) + std::string(between) + "\n" +
                                  std::string(attribution) + "\n> ok?\nThanks.";
                SCOPED_TRACE(body);
                const auto got = split_reply(body).new_content;
                ASSERT_TRUE(has_line(got, own)) << got;
                ASSERT_TRUE(has_line(got, "Thanks.")) << got;
            }
        }
    }
}

TEST(ReplyPrograms, ASentenceThatEndsAsAnAttributionIsKept) {
    for (const auto own : own_sentences) {
        const auto body = "Hi,\n" + std::string(own) + "\n> ok?\nThanks.";
        EXPECT_EQ(split_reply(body).new_content, "Hi,\n" + std::string(own) + "\nThanks.");
    }
}

TEST(ReplyPrograms, ATextWithoutAQuoteIsKeptWhole) {
    std::minstd_rand random(2);
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::string> own;
        for (auto count = 1 + random() % 8; count > 0; --count) {
            own.emplace_back(own_lines[random() % std::size(own_lines)]);
        }
        const auto body = joined(own);
        SCOPED_TRACE(body);
        ASSERT_EQ(split_reply(body).new_content + "\n", body);
    }
}

TEST(ReplyPrograms, TheOwnWordsOfWholeMailsAreFound) {
    struct Case {
        std::string_view name, body, want;
    };
    // clang-format off
    const Case cases[] = {
        {"an order that is cancelled", "Hi Bob,\nplease cancel order 4711\nand refund me.\nOn Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> ok?", "Hi Bob,\nplease cancel order 4711\nand refund me."},
        {"a shipment", "Hello,\nSent from our Berlin office on Monday, tracking 1Z999.\nAnn", "Hello,\nSent from our Berlin office on Monday, tracking 1Z999.\nAnn"},
        {"a form", "My data:\n______________\nName: Ann\nOrder: 4711", "My data:\n______________\nName: Ann\nOrder: 4711"},
        {"Outlook desktop", "Yes.\n\nFrom: Bob Meier <bob@example.org> \nSent: Monday, January 5, 2026 10:00 AM\nTo: Ann <ann@example.com>\nSubject: RE: Offer\n\nok?\n", "Yes."},
        {"Outlook desktop, German", "Ja.\n\nVon: Bob Meier <bob@example.org>\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Ann\nCc: Carl\nBetreff: AW: Angebot\n\nok?\n", "Ja."},
        {"Outlook web", "Yes.\n________________________________\nFrom: Bob <bob@example.org>\nSent: Monday, January 5, 2026 10:00:00 AM\nTo: Ann <ann@example.com>\nSubject: Offer\n\nok?\n", "Yes."},
        {"Outlook for iOS", "Yes.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Bob <bob@example.org>\nSent: Monday, January 5, 2026 10:00:00 AM\nTo: Ann <ann@example.com>\nSubject: Offer\n\nok?\n", "Yes."},
        {"Outlook, Italian", "Sì.\n\nDa: Bob <bob@example.org>\nInviato: lunedì 5 gennaio 2026 10:00\nA: Ann\nOggetto: R: Offerta\n\nok?", "Sì."},
        {"Outlook, Dutch", "Ja.\n\nVan: Bob <bob@example.org>\nVerzonden: maandag 5 januari 2026 10:00\nAan: Ann\nOnderwerp: RE: Aanbod\n\nok?", "Ja."},
        {"Outlook, Portuguese", "Sim.\n\nDe: Bob <bob@example.org>\nEnviada em: segunda-feira, 5 de janeiro de 2026 10:00\nPara: Ann\nAssunto: RES: Oferta\n\nok?", "Sim."},
        {"Outlook, Polish", "Tak.\n\nOd: Bob <bob@example.org>\nWysłano: poniedziałek, 5 stycznia 2026 10:00\nDo: Ann\nTemat: Oferta\n\nok?", "Tak."},
        {"Outlook, Russian", "Да.\n\nОт: Bob <bob@example.org>\nОтправлено: 5 января 2026 г. 10:00\nКому: Ann\nТема: RE: Offer\n\nok?", "Да."},
        {"Outlook, Japanese", "はい。\n\n差出人: Bob <bob@example.org>\n送信日時: 2026年1月5日 10:00\n宛先: Ann\n件名: RE: Offer\n\nok?", "はい。"},
        {"Outlook, Chinese", "好的。\n\n发件人: Bob <bob@example.org>\n发送时间: 2026年1月5日 10:00\n收件人: Ann\n主题: 回复: Offer\n\nok?", "好的。"},
        {"QQ, wide colons", "好的。\n\n发件人：Bob <bob@example.org>\n日期：2026年1月5日 10:00\n收件人：Ann\n主题：Offer\n\nok?", "好的。"},
        {"Outlook, Swedish", "Ja.\n\nFrån: Bob <bob@example.org>\nSkickat: den 5 januari 2026 10:00\nTill: Ann\nÄmne: SV: Offert\n\nok?", "Ja."},
        {"Outlook, Danish", "Ja.\n\nFra: Bob <bob@example.org>\nSendt: 5. januar 2026 10:00\nTil: Ann\nEmne: SV: Tilbud\n\nok?", "Ja."},
        {"Outlook, Finnish", "Kyllä.\n\nLähettäjä: Bob\nLähetetty: maanantai 5. tammikuuta 2026 10.00\nVastaanottaja: Ann\nAihe: VS: Tarjous\n\nok?", "Kyllä."},
        {"Outlook, Turkish", "Evet.\n\nKimden: Bob <bob@example.org>\nGönderildi: 5 Ocak 2026 10:00\nKime: Ann\nKonu: Teklif\n\nok?", "Evet."},
        {"Outlook, Czech", "Ano.\n\nOd: Bob <bob@example.org>\nOdesláno: pondělí 5. ledna 2026 10:00\nKomu: Ann\nPředmět: RE: Nabídka\n\nok?", "Ano."},
        {"Outlook, Hungarian", "Igen.\n\nFeladó: Bob <bob@example.org>\nElküldve: 2026. január 5., hétfő 10:00\nCímzett: Ann\nTárgy: RE: x\n\nok?", "Igen."},
        {"Outlook, Korean", "네.\n\n보낸 사람: Bob <bob@example.org>\n보낸 날짜: 2026년 1월 5일 월요일 10:00\n받는 사람: Ann\n제목: x\n\nok?", "네."},
        {"GMX", "Ja bitte.\n\nGesendet: Montag, 05. Januar 2026 um 10:00 Uhr\nVon: \"Bob Meier\" <bob@example.org>\nAn: ann@example.com\nBetreff: Angebot\n\nok?", "Ja bitte."},
        {"Zoho without marks", "Yes.\n\n---- On Mon, 05 Jan 2026 10:00:00 +0100 Bob Meier <bob@example.org> wrote ---\n\nok?", "Yes."},
        {"Proton Mail", "Yes.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\n------- Original Message -------\nOn Monday, January 5th, 2026 at 10:00, Bob <bob@example.org> wrote:\n\n> ok?\n\nAnd one thing below.", "Yes.\n\nAnd one thing below."},
        {"Yahoo", " Yes.\n    On Monday, January 5, 2026 at 10:00:00 AM GMT+1, Bob <bob@example.org> wrote:  \n \n ok?\nplease\n", "Yes."},
        {"Yahoo's attribution above the answer", "On Monday, January 5, 2026 at 10:00:00 AM GMT+1, Bob <bob@example.org> wrote:\n\nok?\n\nYes.", "On Monday, January 5, 2026 at 10:00:00 AM GMT+1, Bob <bob@example.org> wrote:\n\nok?\n\nYes."},
        {"an attribution and no marks", "See what\nOn Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\nok?\nIs it?", "See what\nOn Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\nok?\nIs it?"},
        {"Gmail forwards", "See below.\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon, Jan 5, 2026 at 10:00 AM\nSubject: Offer\nTo: <ann@example.com>\n\nok?", "See below."},
        {"Apple forwards", "See below.\n\nBegin forwarded message:\n\nFrom: Bob <bob@example.org>\nSubject: Offer\nDate: 5 January 2026 at 10:00:00 CET\nTo: ann@example.com\n\nok?", "See below."},
        {"Thunderbird forwards", "See below.\n\n-------- Forwarded Message --------\nSubject: \tOffer\nDate: \tMon, 5 Jan 2026 10:00:00 +0100\nFrom: \tBob <bob@example.org>\nTo: \tann@example.com\n\nok?", "See below."},
        {"nothing but a forwarded mail", "---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\n\nok?", "---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\n\nok?"},
        {"inline answers", "On Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> how many?\nTwo.\n\n> when?\n\nOn Monday.\n", "Two.\n\nOn Monday."},
        {"below the quote", "On Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> ok?\n\nYes.\n\n-- \nAnn", "Yes."},
        {"on a list", "Yes.\n\nOn Mon, 5 Jan 2026 at 10:00, Bob wrote:\n> ok?\n_______________________________________________\nusers mailing list -- users@lists.example.org\nTo unsubscribe send an email to users-leave@lists.example.org\n", "Yes."},
        {"two attributions", "Yes.\n\nOn Tue, 6 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> On Mon, 5 Jan 2026 at 10:00, Ann <ann@x.org> wrote:\n> > ok?\n> no\n", "Yes."},
        {"an attribution after a sentence", "Thanks! On Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> ok?", "Thanks! On Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:"},
        {"a person says who wrote", "On Monday he wrote:\n> ok?\nIs that so?", "On Monday he wrote:\nIs that so?"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(split_reply(c.body).new_content, c.want);
    }
}

TEST(ReplyPrograms, OnlyLinesThatPhonesWriteAreTheirSignatures) {
    for (const std::string_view line : {"Sent from my iPhone",
                                        "Sent from my Samsung Galaxy S21 5G.",
                                        "Sent from my phone",
                                        "Gesendet von meinem Handy",
                                        "Télécharger Outlook pour iOS",
                                        "Holen Sie sich Outlook für Android",
                                        "Outlook für iOS beziehen",
                                        "Hanki Outlook for Android",
                                        "Sent from my Android device with K-9 Mail. Please excuse "
                                        "my brevity.",
                                        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 "
                                        "Mail gesendet.",
                                        "Sent from Yahoo Mail on Android",
                                        "Sent from Yahoo Mail for iPhone",
                                        "Sent from Outlook for iOS",
                                        "Sent from Mail for Windows 10",
                                        "Get Outlook for Android",
                                        "Get Outlook for iOS<https://aka.ms/o0ukef>",
                                        "Sent from Proton Mail for iOS",
                                        "Sent from my Verizon, Samsung Galaxy smartphone",
                                        "Von meinem iPhone gesendet",
                                        "Gesendet von meinem Samsung Galaxy Smartphone.",
                                        "Gesendet mit der GMX Mail App",
                                        "Envoyé de mon iPhone",
                                        "Enviado desde mi iPhone",
                                        "Enviado do meu iPhone",
                                        "Inviato da iPhone",
                                        "Inviato dal mio iPad",
                                        "Verstuurd vanaf mijn iPhone",
                                        "Verzonden vanaf mijn iPad",
                                        "Wysłane z iPhone'a",
                                        "Отправлено с iPhone",
                                        "iPhoneから送信",
                                        "发自我的iPhone",
                                        "Skickat från min iPhone",
                                        "Sendt fra min iPhone"}) {
        EXPECT_TRUE(is_device_signature(line)) << line;
    }
    for (const std::string_view line : {"Sent via mail.",
                                        "Sent with Mail",
                                        "Gesendet mit Handy",
                                        "Sent via mobile app",
                                        "Sent from mobile",
                                        "Sent from our Berlin office on Monday, tracking 1Z999.",
                                        "Sent from my desk",
                                        "Sent from my phone, call me at 555 1234",
                                        "Sent from my iPhone 0151 1234567",
                                        "Sent from my mobile, please ship 20",
                                        "Get Outlook to work, please",
                                        "Sent from",
                                        "Get Outlook",
                                        "Inviato da Milano il 5 maggio",
                                        "Gesendet von unserem Lager",
                                        "Von meinem Konto wurden 20 EUR gesendet",
                                        "Sent from my iPhone<call me>",
                                        "The iPhone was sent",
                                        "Enviado desde mi oficina",
                                        ""}) {
        EXPECT_FALSE(is_device_signature(line)) << line;
    }
}

}  // namespace
}  // namespace mailroom::mime
