#include "mime/read/reply_text.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(ReplyText, NewContentIsWhatIsNeitherQuotedNorSignature) {
    struct Case {
        std::string_view name, body, want;
    };
    // clang-format off
    const Case cases[] = {
        {"nothing quoted", "Hello\n\nBye\n", "Hello\n\nBye"},
        {"top-posted", "Hi there,\n\nThis is my response.\n\nOn Jan 15, 2024, John wrote:\n> Original", "Hi there,\n\nThis is my response."},
        {"greater-than elsewhere", "Price -> 500\nok", "Price -> 500\nok"},
        {"inline", "> quoted\nmy inline answer", "my inline answer"},
        {"blanks before the mark", "  > quoted\nmine", "mine"},
        {"closing words below", "Yes\n\nOn Monday, Bob wrote:\n\n> old\n> old\n\nThanks!", "Yes\n\nThanks!"},
        {"wrapped over two lines", "Yes\n\nOn Mon, Jan 15, 2024 at 10:00 AM John Doe <john@example.org>\nwrote:\n> old", "Yes"},
        {"wrapped over three lines", "Yes\n\nOn Mon, Jan 15, 2024\nat 10:00 AM John Doe\n<john@example.org> wrote:\n> old", "Yes"},
        {"German", "Ja\n\nAm 15.01.2024 um 10:00 schrieb Bob Meier:\n> alt", "Ja"},
        {"French", "Oui\n\nLe 15 janv. 2024 à 10:00, Bob a écrit :\n> vieux", "Oui"},
        {"French, no-break space", "Oui\n\nLe 15 janv. 2024 à 10:00, Bob a écrit\u00a0:\n> vieux", "Oui"},
        {"Spanish", "Sí\n\nEl lun, 15 ene 2024, Bob escribió:\n> viejo", "Sí"},
        {"Italian", "Sì\n\nIl giorno 15 gen 2024 Bob ha scritto:\n> vecchio", "Sì"},
        {"Dutch", "Ja\n\nOp 15 jan. 2024 schreef Bob:\n> oud", "Ja"},
        {"name first", "Yes\n\nBob <bob@example.org> wrote:\n> old", "Yes"},
        {"attribution at the end", "Yes\n\nOn Mon, 5 Jan 2026 at 10:00, Bob wrote:\n", "Yes"},
        {"one that may be a sentence at the end", "Yes\n\nOn Monday, Bob wrote:\n", "Yes\n\nOn Monday, Bob wrote:"},
        {"a sentence, not an attribution", "On Monday he wrote:\nI will come.", "On Monday he wrote:\nI will come."},
        {"words before a quote", "You asked:\n> what?\nThis.", "You asked:\nThis."},
        {"original message", "Yes\n\n-----Original Message-----\nFrom: Bob\nold\nThanks", "Yes"},
        {"original message, spaced", "Yes\n\n--- Original Message ---\nold", "Yes"},
        {"original message, German", "Ja\n\n-----Ursprüngliche Nachricht-----\nalt", "Ja"},
        {"dashes around other words", "Yes\n--- Options ---\none", "Yes\n--- Options ---\none"},
        {"Outlook", "Yes\n\nFrom: Bob <bob@example.org>\nSent: Monday 10:00\nTo: Ann\nSubject: Offer\n\nold", "Yes"},
        {"Outlook, bold", "Yes\n\n*From:* Bob\n*Sent:* Monday 10:00\n*To:* Ann\n*Subject:* Offer\n\nold", "Yes"},
        {"Outlook, on one line", "Yes\n\nFrom: Bob Sent: Monday, 5 January 2026 10:00 To: Ann Subject: Offer\nold", "Yes"},
        {"the names of fields in a sentence", "Hi\nFrom: my side I have sent: all papers to: your office, subject: refund\nPay", "Hi\nFrom: my side I have sent: all papers to: your office, subject: refund\nPay"},
        {"an order on one line", "From: A Sent: 5 units To: Berlin Subject: order\nShip 4711", "From: A Sent: 5 units To: Berlin Subject: order\nShip 4711"},
        {"Outlook, French", "Oui\n\nDe : Bob\nEnvoyé : lundi 10:00\nÀ : Ann\nObjet : Offre\n\nvieux", "Oui"},
        {"Outlook, Spanish", "Sí\n\nDe: Bob\nEnviado el: lunes 10:00\nPara: Ann\nAsunto: Oferta\n\nviejo", "Sí"},
        {"a From alone", "From: the heart\nyours", "From: the heart\nyours"},
        {"underscores above Outlook's block", "Yes\n________________________________\nFrom: Bob\nSent: Monday 10:00\nTo: Ann\nSubject: Offer\n\nold", "Yes"},
        {"underscores alone", "Yes\n____________\nOrder 4711", "Yes\n____________\nOrder 4711"},
        {"a journey is no block", "From: Berlin\nDate: 5 May\nTo: Paris\nPlease book", "From: Berlin\nDate: 5 May\nTo: Paris\nPlease book"},
        {"a journey on a day", "Bitte buchen:\nVon: Berlin\nDatum: 05.01.2026\nAn: Paris\nBetreff: Gruppenreise\nBitte 2 Plätze.", "Bitte buchen:\nVon: Berlin\nDatum: 05.01.2026\nAn: Paris\nBetreff: Gruppenreise\nBitte 2 Plätze."},
        {"a journey at a time", "Von: Berlin\nDatum: 05.01.2026 10:00\nAn: Paris\nBetreff: Gruppenreise\n\nBitte 2 Plätze.", "Von: Berlin\nDatum: 05.01.2026 10:00\nAn: Paris\nBetreff: Gruppenreise\n\nBitte 2 Plätze."},
        {"an amount is no time", "Ja\n\nVon: Anna\nDatum: 5.50 EUR\nAn: Berta\nBetreff: Miete\n\nBitte", "Ja\n\nVon: Anna\nDatum: 5.50 EUR\nAn: Berta\nBetreff: Miete\n\nBitte"},
        {"a transfer", "I paid\n\nFrom: Ann ann@example.com\nDate: 05.01.2026\nTo: Shop\nSubject: 4711\n\nShip it", "I paid\n\nFrom: Ann ann@example.com\nDate: 05.01.2026\nTo: Shop\nSubject: 4711\n\nShip it"},
        {"names of fields in small letters", "Yes\n\nfrom: bob@example.org\nsent: 10:00\nto: ann\nsubject: x\n\nDid it arrive?", "Yes\n\nfrom: bob@example.org\nsent: 10:00\nto: ann\nsubject: x\n\nDid it arrive?"},
        {"headers that were announced", "This never came:\nFrom: Ann <ann@example.com>\nDate: 5 Jan 2026 10:00\nTo: bob@example.org\nSubject: offer\n\nWhy?", "This never came:\nFrom: Ann <ann@example.com>\nDate: 5 Jan 2026 10:00\nTo: bob@example.org\nSubject: offer\n\nWhy?"},
        {"headers copied from a mail", "Hi\n\nFrom: ann@example.com\nDate: Mon, 5 Jan 2026 10:00:00 +0100\nTo: bob@example.org\nSubject: offer\n\nWhy?", "Hi\n\nFrom: ann@example.com\nDate: Mon, 5 Jan 2026 10:00:00 +0100\nTo: bob@example.org\nSubject: offer\n\nWhy?"},
        {"fields with words between", "Hi\nFrom: Ann <ann@example.com>\nTo: Shop\nSubject: late\nI write because\nmine is late. Date: 5.01.2026 10:00\nRefund.", "Hi\nFrom: Ann <ann@example.com>\nTo: Shop\nSubject: late\nI write because\nmine is late. Date: 5.01.2026 10:00\nRefund."},
        {"answers in Outlook's quote", "On it\n\nFrom: Bob <bob@example.org>\nSent: Monday, 5 January 2026 10:00\nTo: Ann\nSubject: Offer\n\n> how many?\nTwo.\n> when?\nMonday.", "On it\n\nTwo.\nMonday."},
        {"an answer below what is forwarded", "FYI\n---------- Forwarded message ---------\nFrom: Bob <b@x>\nDate: Mon, Jan 5, 2026 at 10:00 AM\nSubject: Offer\nTo: <ann@example.com>\n\n> ok?\n\nCancel 4711.", "FYI\n\nCancel 4711."},
        {"many recipients", "Yes\n\nFrom: Bob <bob@example.org>\nSent: Monday, 5 January 2026 10:00\nTo: Ann <a@example.com>;\nCarl <c@example.com>\nSubject: Offer\n\nold", "Yes"},
        {"a lone mark without a blank", "We need\n>5 kg\nplease", "We need\n>5 kg\nplease"},
        {"marks without blanks", "Yes\n>old\n>older", "Yes"},
        {"a form is no rule", "Name: ______\nAge: __", "Name: ______\nAge: __"},
        {"signature", "Yes\n\n-- \nAnn\nExample Ltd", "Yes"},
        {"two dashes without the blank are text", "Yes\n--\nAnn", "Yes\n--\nAnn"},
        {"signature, then quote", "Yes\n-- \nAnn\n> old\n", "Yes"},
        {"signature, quote, answer", "Yes\n-- \nAnn\n> old\nAnd this", "Yes\nAnd this"},
        {"list footer", "Yes\n_______________________________________________\nnews mailing list\nnews@example.org\n", "Yes"},
        {"no list footer", "Hi\n________________________________________\nWe were never on any mailing list\nCancel order 4711.", "Hi\n________________________________________\nWe were never on any mailing list\nCancel order 4711."},
        {"a form about a list", "Hi\n_______________________________________________\nI agree to join the mailing list\nSigned: Ann", "Hi\n_______________________________________________\nI agree to join the mailing list\nSigned: Ann"},
        {"below a list footer", "Yes\n_______________________________________________\nnews mailing list -- news@example.org\nTo leave it write to leave@example.org\n\nOne more thing", "Yes\n\nOne more thing"},
        {"phone", "Yes\n\nSent from my iPhone\n", "Yes"},
        {"mail is no phone", "Where is it?\nSent via mail.\nThe form too.", "Where is it?\nSent via mail.\nThe form too."},
        {"how it was sent", "How?\nGesendet mit Handy\nGesendet von Outlook\nDanke, Storno 4711", "How?\nGesendet mit Handy\nGesendet von Outlook\nDanke, Storno 4711"},
        {"words below a phone", "It says\nSent from my iPhone\nunder each mail", "It says\nSent from my iPhone\nunder each mail"},
        {"two programs", "Yes\n\nSent from my iPhone\n\nGet Outlook for iOS\n\nOn Mon, 5 Jan 2026 at 10:00, Bob <bob@x.org> wrote:\n> old", "Yes"},
        {"phone above Outlook's block", "Yes\nSent from my iPhone\n\nFrom: Bob <bob@x.org>\nSent: Monday 10:00\nTo: Ann\nSubject: Offer\n\nold", "Yes"},
        {"phone above a signature", "Yes\nSent from my iPhone\n-- \nAnn", "Yes"},
        {"phone, then quote, then answer", "Yes\n\nSent from my iPhone\n\n> old\nNo", "Yes\n\nNo"},
        {"Outlook app", "Yes\n\nGet Outlook for iOS<https://example.com/o>\n", "Yes"},
        {"all quoted falls back to the body", "> only\n> quoted\n", "> only\n> quoted"},
        {"only a tail falls back to the body", "-----Original Message-----\nold", "-----Original Message-----\nold"},
        {"many empty lines become one", "a\n\n\n\n\nb", "a\n\nb"},
        {"empty", "", ""},
        {"blank", " \n\t\n", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(split_reply(c.body).new_content, c.want);
    }
}

TEST(ReplyText, QuoteAndSignatureAreKeptApart) {
    const auto split =
        split_reply("Yes\n\nOn Monday, Bob wrote:\n> one\n> two\n\n-- \nAnn\nExample Ltd\n");
    EXPECT_EQ(split.new_content, "Yes");
    EXPECT_EQ(split.quoted, "On Monday, Bob wrote:\n> one\n> two");
    EXPECT_EQ(split.signature, "Ann\nExample Ltd");
}

}  // namespace
}  // namespace mailroom::mime
