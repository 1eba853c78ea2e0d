#include "engagement/pages/texts.h"

#include <array>
#include <cstddef>
#include <utility>

namespace mailroom::engagement {

namespace {

// clang-format off
constexpr PageTexts english = {
    "Unsubscribe", "Shall {address} get no more newsletters and offers?", "Shall {address} get no more mails about “{topic}”?", "Unsubscribe",
    "Unsubscribed", "{address} gets no more newsletters and offers. Mails that you need, about an order or your account, may still come.", "{address} gets no more mails about “{topic}”.", "Subscribe again",
    "Welcome back", "{address} gets our mails again.",
    "Your mails", "What shall {address} get?", "No newsletters and offers at all", "Do not note which mails I open and which links I follow", "Save", "Saved.", "Please confirm the rest by the link in the mail that we sent you.",
    "Confirm", "Please confirm that {address} shall get our mails.", "Yes, I want them", "Confirmed", "Thank you. {address} is subscribed.",
    "Please confirm: mails from {company}", "Please confirm that you want our mails", "Somebody, we hope it was you, wants {address} to get our mails.\n\nIf that is right, please follow this link and confirm it:\n\n{link}\n\nIf it is not, do nothing: no further mail will come.\n",
    "This link is not valid", "No unsubscribe token was given.", "This link is invalid. Perhaps it was cut off: please copy all of it.", "This link has expired. Please use the link in a newer mail.", "That did not work", "Please try again in a few minutes.",
};
constexpr PageTexts german = {
    "Abmelden", "Soll {address} keine Newsletter und Angebote mehr bekommen?", "Soll {address} keine E-Mails zu „{topic}“ mehr bekommen?", "Abmelden",
    "Abgemeldet", "{address} bekommt keine Newsletter und Angebote mehr. Nötige E-Mails, etwa zu einer Bestellung oder zum Konto, können weiterhin kommen.", "{address} bekommt keine E-Mails zu „{topic}“ mehr.", "Wieder anmelden",
    "Willkommen zurück", "{address} bekommt unsere E-Mails wieder.",
    "Ihre E-Mails", "Was soll {address} bekommen?", "Gar keine Newsletter und Angebote", "Nicht festhalten, welche E-Mails ich öffne und welchen Links ich folge", "Speichern", "Gespeichert.", "Bitte bestätigen Sie das Übrige über den Link in der E-Mail, die wir Ihnen geschickt haben.",
    "Bestätigen", "Bitte bestätigen Sie, dass {address} unsere E-Mails bekommen soll.", "Ja, ich möchte sie", "Bestätigt", "Danke. {address} ist angemeldet.",
    "Bitte bestätigen: E-Mails von {company}", "Bitte bestätigen Sie, dass Sie unsere E-Mails möchten", "Jemand, hoffentlich Sie, möchte, dass {address} unsere E-Mails bekommt.\n\nWenn das stimmt, folgen Sie bitte diesem Link und bestätigen Sie es:\n\n{link}\n\nWenn nicht, tun Sie nichts: Es kommt keine weitere E-Mail.\n",
    "Dieser Link ist ungültig", "Es wurde kein Abmeldecode angegeben.", "Dieser Link ist ungültig. Vielleicht wurde er abgeschnitten: Bitte kopieren Sie ihn ganz.", "Dieser Link ist abgelaufen. Bitte nehmen Sie den Link aus einer neueren E-Mail.", "Das hat nicht geklappt", "Bitte versuchen Sie es in einigen Minuten noch einmal.",
};
constexpr PageTexts french = {
    "Se désabonner", "Faut-il cesser d’envoyer newsletters et offres à {address} ?", "Faut-il cesser d’envoyer à {address} les e-mails sur « {topic} » ?", "Se désabonner",
    "Désabonné", "{address} ne recevra plus de newsletters ni d’offres. Les e-mails nécessaires, sur une commande ou un compte, peuvent encore arriver.", "{address} ne recevra plus d’e-mails sur « {topic} ».", "Se réabonner",
    "Heureux de vous revoir", "{address} recevra de nouveau nos e-mails.",
    "Vos e-mails", "Que souhaitez-vous recevoir à {address} ?", "Aucune newsletter ni offre", "Ne pas noter les e-mails que j’ouvre ni les liens que je suis", "Enregistrer", "Enregistré.", "Confirmez le reste par le lien de l’e-mail que nous vous avons envoyé.",
    "Confirmer", "Confirmez que {address} doit recevoir nos e-mails.", "Oui, je le souhaite", "Confirmé", "Merci. {address} est abonné.",
    "À confirmer : les e-mails de {company}", "Confirmez que vous souhaitez nos e-mails", "Quelqu’un, vous espérons-nous, souhaite que {address} reçoive nos e-mails.\n\nSi c’est exact, suivez ce lien et confirmez :\n\n{link}\n\nSinon, ne faites rien : aucun autre e-mail ne viendra.\n",
    "Ce lien n’est pas valable", "Aucun code de désabonnement n’a été fourni.", "Ce lien n’est pas valable. Il a peut-être été coupé : copiez-le en entier.", "Ce lien a expiré. Utilisez celui d’un e-mail plus récent.", "Cela n’a pas fonctionné", "Réessayez dans quelques minutes.",
};
constexpr PageTexts spanish = {
    "Darse de baja", "¿Dejamos de enviar boletines y ofertas a {address}?", "¿Dejamos de enviar a {address} los correos sobre «{topic}»?", "Darme de baja",
    "Baja realizada", "{address} ya no recibirá boletines ni ofertas. Pueden seguir llegando correos necesarios, sobre un pedido o una cuenta.", "{address} ya no recibirá correos sobre «{topic}».", "Suscribirme de nuevo",
    "Bienvenido de nuevo", "{address} vuelve a recibir nuestros correos.",
    "Sus correos", "¿Qué quiere recibir en {address}?", "Ningún boletín ni oferta", "No registrar qué correos abro ni qué enlaces sigo", "Guardar", "Guardado.", "Confirme el resto con el enlace del correo que le hemos enviado.",
    "Confirmar", "Confirme que {address} debe recibir nuestros correos.", "Sí, los quiero", "Confirmado", "Gracias. {address} está suscrito.",
    "Por favor, confirme: correos de {company}", "Confirme que quiere nuestros correos", "Alguien, esperamos que usted, quiere que {address} reciba nuestros correos.\n\nSi es así, siga este enlace y confírmelo:\n\n{link}\n\nSi no, no haga nada: no llegará ningún otro correo.\n",
    "Este enlace no es válido", "No se indicó ningún código de baja.", "Este enlace no es válido. Quizá se cortó: cópielo entero.", "Este enlace ha caducado. Use el de un correo más reciente.", "No ha funcionado", "Inténtelo de nuevo dentro de unos minutos.",
};
constexpr PageTexts italian = {
    "Annulla l’iscrizione", "Vuoi che {address} non riceva più newsletter e offerte?", "Vuoi che {address} non riceva più e-mail su «{topic}»?", "Annulla l’iscrizione",
    "Iscrizione annullata", "{address} non riceverà più newsletter e offerte. Possono ancora arrivare e-mail necessarie, su un ordine o un account.", "{address} non riceverà più e-mail su «{topic}».", "Iscriviti di nuovo",
    "Bentornato", "{address} riceve di nuovo le nostre e-mail.",
    "Le tue e-mail", "Che cosa vuoi ricevere a {address}?", "Nessuna newsletter e nessuna offerta", "Non registrare quali e-mail apro e quali link seguo", "Salva", "Salvato.", "Conferma il resto con il link nell’e-mail che ti abbiamo inviato.",
    "Conferma", "Conferma che {address} deve ricevere le nostre e-mail.", "Sì, le voglio", "Confermato", "Grazie. {address} è iscritto.",
    "Da confermare: le e-mail di {company}", "Conferma che vuoi le nostre e-mail", "Qualcuno, speriamo tu, vuole che {address} riceva le nostre e-mail.\n\nSe è così, segui questo link e conferma:\n\n{link}\n\nAltrimenti non fare nulla: non arriverà altro.\n",
    "Questo link non è valido", "Non è stato indicato alcun codice di disiscrizione.", "Questo link non è valido. Forse è stato tagliato: copialo per intero.", "Questo link è scaduto. Usa quello di un’e-mail più recente.", "Non ha funzionato", "Riprova tra qualche minuto.",
};
constexpr PageTexts portuguese = {
    "Cancelar a subscrição", "Quer que {address} deixe de receber newsletters e ofertas?", "Quer que {address} deixe de receber e-mails sobre “{topic}”?", "Cancelar a subscrição",
    "Subscrição cancelada", "{address} já não recebe newsletters nem ofertas. Ainda podem chegar e-mails necessários, sobre uma encomenda ou uma conta.", "{address} já não recebe e-mails sobre “{topic}”.", "Subscrever de novo",
    "Bem-vindo de volta", "{address} volta a receber os nossos e-mails.",
    "Os seus e-mails", "O que quer receber em {address}?", "Nenhuma newsletter nem oferta", "Não registar que e-mails abro nem que ligações sigo", "Guardar", "Guardado.", "Confirme o resto pela ligação do e-mail que lhe enviámos.",
    "Confirmar", "Confirme que {address} deve receber os nossos e-mails.", "Sim, quero", "Confirmado", "Obrigado. {address} está subscrito.",
    "Confirme, por favor: e-mails de {company}", "Confirme que quer os nossos e-mails", "Alguém, esperamos que tenha sido você, quer que {address} receba os nossos e-mails.\n\nSe é assim, siga esta ligação e confirme:\n\n{link}\n\nSe não, não faça nada: não chegará mais nenhum e-mail.\n",
    "Esta ligação não é válida", "Não foi indicado nenhum código de cancelamento.", "Esta ligação não é válida. Talvez tenha sido cortada: copie-a por inteiro.", "Esta ligação expirou. Use a de um e-mail mais recente.", "Não funcionou", "Tente de novo dentro de alguns minutos.",
};
constexpr PageTexts dutch = {
    "Afmelden", "Moet {address} geen nieuwsbrieven en aanbiedingen meer krijgen?", "Moet {address} geen e-mails over “{topic}” meer krijgen?", "Afmelden",
    "Afgemeld", "{address} krijgt geen nieuwsbrieven en aanbiedingen meer. Noodzakelijke e-mails, over een bestelling of account, kunnen nog komen.", "{address} krijgt geen e-mails over “{topic}” meer.", "Weer aanmelden",
    "Welkom terug", "{address} krijgt onze e-mails weer.",
    "Uw e-mails", "Wat moet {address} krijgen?", "Helemaal geen nieuwsbrieven en aanbiedingen", "Niet bijhouden welke e-mails ik open en welke links ik volg", "Opslaan", "Opgeslagen.", "Bevestig de rest via de link in de e-mail die we u hebben gestuurd.",
    "Bevestigen", "Bevestig dat {address} onze e-mails moet krijgen.", "Ja, dat wil ik", "Bevestigd", "Dank u. {address} is aangemeld.",
    "Bevestig alstublieft: e-mails van {company}", "Bevestig dat u onze e-mails wilt", "Iemand, hopelijk u, wil dat {address} onze e-mails krijgt.\n\nKlopt dat, volg dan deze link en bevestig het:\n\n{link}\n\nZo niet, doe dan niets: er komt verder geen e-mail.\n",
    "Deze link is niet geldig", "Er is geen afmeldcode opgegeven.", "Deze link is niet geldig. Misschien is hij afgebroken: kopieer hem helemaal.", "Deze link is verlopen. Gebruik de link uit een nieuwere e-mail.", "Dat is niet gelukt", "Probeer het over een paar minuten opnieuw.",
};
constexpr PageTexts polish = {
    "Rezygnacja", "Czy {address} ma nie otrzymywać newsletterów i ofert?", "Czy {address} ma nie otrzymywać wiadomości na temat „{topic}”?", "Rezygnuję",
    "Zrezygnowano", "{address} nie będzie otrzymywać newsletterów i ofert. Niezbędne wiadomości, o zamówieniu lub koncie, mogą nadal przychodzić.", "{address} nie będzie otrzymywać wiadomości na temat „{topic}”.", "Zapisz mnie ponownie",
    "Witamy ponownie", "{address} znów otrzymuje nasze wiadomości.",
    "Twoje wiadomości", "Co ma otrzymywać {address}?", "Żadnych newsletterów i ofert", "Nie zapisuj, które wiadomości otwieram i które linki odwiedzam", "Zapisz", "Zapisano.", "Resztę potwierdź linkiem z wiadomości, którą wysłaliśmy.",
    "Potwierdzenie", "Potwierdź, że {address} ma otrzymywać nasze wiadomości.", "Tak, chcę", "Potwierdzono", "Dziękujemy. {address} jest na liście.",
    "Prosimy o potwierdzenie: wiadomości od {company}", "Potwierdź, że chcesz nasze wiadomości", "Ktoś, mamy nadzieję, że to Ty, chce, aby {address} otrzymywał nasze wiadomości.\n\nJeśli tak jest, otwórz ten link i potwierdź:\n\n{link}\n\nJeśli nie, nic nie rób: żadna inna wiadomość nie przyjdzie.\n",
    "Ten link jest nieprawidłowy", "Nie podano kodu rezygnacji.", "Ten link jest nieprawidłowy. Być może został ucięty: skopiuj go w całości.", "Ten link wygasł. Użyj linku z nowszej wiadomości.", "Nie udało się", "Spróbuj ponownie za kilka minut.",
};
// clang-format on

// In the order of the languages.
constexpr std::array all = {&english, &german,     &french, &spanish,
                            &italian, &portuguese, &dutch,  &polish};
static_assert(all.size() == all_names<Language>.size());

}  // namespace

const PageTexts& texts_in(Language language) { return *all[static_cast<std::size_t>(language)]; }

std::string filled(std::string_view text, const TextParts& parts) {
    const std::pair<std::string_view, std::string_view> all_parts[] = {{"{address}", parts.address},
                                                                       {"{topic}", parts.topic},
                                                                       {"{company}", parts.company},
                                                                       {"{link}", parts.link}};
    std::string out;
    while (!text.empty()) {
        bool is_part = false;
        for (const auto& [name, value] : all_parts) {
            if (!text.starts_with(name)) continue;
            out += value;
            text.remove_prefix(name.size());
            is_part = true;
            break;
        }
        if (is_part) continue;
        out += text.front();
        text.remove_prefix(1);
    }
    return out;
}

}  // namespace mailroom::engagement
