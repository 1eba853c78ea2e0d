#include "mime/read/calendar_words.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

// Of English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian, Swedish,
// Danish, Norwegian, Czech, Finnish, Turkish, Hungarian, Romanian, Ukrainian and Greek, long and
// short.
constexpr std::string_view months[] = {
    "abr",          "abril",       "ago",        "agosto",      "août",        "apr",
    "april",        "aprile",      "aprilie",    "ara",         "aralık",      "aug",
    "august",       "augusti",     "augustus",   "augusztus",   "avr",         "avril",
    "ağu",          "ağustos",     "bře",        "březen",      "března",      "cze",
    "czerwca",      "czerwiec",    "dec",        "december",    "decembrie",   "des",
    "desember",     "dez",         "dezember",   "dezembro",    "dic",         "dicembre",
    "diciembre",    "dub",         "duben",      "dubna",       "déc",         "décembre",
    "eki",          "ekim",        "elo",        "elok",        "elokuu",      "elokuuta",
    "ene",          "enero",       "eyl",        "eylül",       "feb",         "febbraio",
    "febr",         "febrero",     "februar",    "februari",    "februarie",   "february",
    "február",      "fev",         "fevereiro",  "févr",        "février",     "gen",
    "gennaio",      "giu",         "giugno",     "gru",         "grudnia",     "grudzień",
    "haz",          "haziran",     "heinä",      "heinäk",      "heinäkuu",    "heinäkuuta",
    "helmi",        "helmik",      "helmikuu",   "helmikuuta",  "huhti",       "huhtik",
    "huhtikuu",     "huhtikuuta",  "ian",        "ianuarie",    "iul",         "iulie",
    "iun",          "iunie",       "jan",        "janeiro",     "januar",      "januari",
    "january",      "január",      "janv",       "janvier",     "joulu",       "jouluk",
    "joulukuu",     "joulukuuta",  "juil",       "juillet",     "juin",        "jul",
    "julho",        "juli",        "julio",      "july",        "jun",         "june",
    "junho",        "juni",        "junio",      "jän",         "jänner",      "júl",
    "július",       "jún",         "június",     "kas",         "kasım",       "kesä",
    "kesäk",        "kesäkuu",     "kesäkuuta",  "kvě",         "květen",      "května",
    "kwi",          "kwiecień",    "kwietnia",   "led",         "leden",       "ledna",
    "lip",          "lipca",       "lipiec",     "lis",         "listopad",    "listopada",
    "listopadu",    "loka",        "lokak",      "lokakuu",     "lokakuuta",   "lug",
    "luglio",       "lut",         "lutego",     "luty",        "maalis",      "maalisk",
    "maaliskuu",    "maaliskuuta", "maart",      "mag",         "maggio",      "mai",
    "maio",         "maj",         "maja",       "mar",         "marca",       "march",
    "marras",       "marrask",     "marraskuu",  "marraskuuta", "mars",        "mart",
    "martie",       "marts",       "marzec",     "marzo",       "março",       "may",
    "mayo",         "mayıs",       "mei",        "mrt",         "máj",         "május",
    "márc",         "március",     "mär",        "märz",        "nis",         "nisan",
    "noi",          "noiem",       "noiembrie",  "nov",         "november",    "novembre",
    "novembro",     "noviembre",   "oca",        "ocak",        "oct",         "october",
    "octobre",      "octombrie",   "octubre",    "okt",         "oktober",     "október",
    "ott",          "ottobre",     "out",        "outubro",     "paź",         "październik",
    "października", "pro",         "prosince",   "prosinec",    "sep",         "sept",
    "september",    "septembre",   "septembrie", "septiembre",  "set",         "setembro",
    "settembre",    "sie",         "sierpień",   "sierpnia",    "srp",         "srpen",
    "srpna",        "sty",         "styczeń",    "stycznia",    "syys",        "syysk",
    "syyskuu",      "syyskuuta",   "szept",      "szeptember",  "tammi",       "tammik",
    "tammikuu",     "tammikuuta",  "tem",        "temmuz",      "touko",       "toukok",
    "toukokuu",     "toukokuuta",  "wrz",        "wrzesień",    "września",    "zář",
    "září",         "ápr",         "április",    "úno",         "únor",        "února",
    "červen",       "července",    "červenec",   "června",      "čvc",         "čvn",
    "říj",          "říjen",       "října",      "şub",         "şubat",       "απρ",
    "απριλίου",     "αυγ",         "αυγούστου",  "δεκ",         "δεκεμβρίου",  "ιαν",
    "ιανουαρίου",   "ιουλ",        "ιουλίου",    "ιουν",        "ιουνίου",     "μαΐ",
    "μαΐου",        "μαΪ",         "μαρ",        "μαρτίου",     "μαϊ",         "νοε",
    "νοεμβρίου",    "οκτ",         "οκτωβρίου",  "σεπ",         "σεπτεμβρίου", "φεβ",
    "φεβρουαρίου",  "авг",         "август",     "августа",     "апр",         "апрель",
    "апреля",       "бер",         "березня",    "вер",         "верес",       "вересня",
    "груд",         "грудня",      "дек",        "декабрь",     "декабря",     "жовт",
    "жовтня",       "июл",         "июль",       "июля",        "июн",         "июнь",
    "июня",         "квіт",        "квітня",     "лип",         "липня",       "лист",
    "листоп",       "листопада",   "лют",        "лютого",      "май",         "мар",
    "март",         "марта",       "мая",        "нояб",        "ноябрь",      "ноября",
    "окт",          "октябрь",     "октября",    "сент",        "сентябрь",    "сентября",
    "серп",         "серпня",      "січ",        "січня",       "трав",        "травня",
    "февр",         "февраль",     "февраля",    "черв",        "червня",      "янв",
    "январь",       "января",
};
constexpr std::string_view weekdays[] = {
    "cmt",       "cs",        "csütörtök",   "cum",         "cuma",
    "cumartesi", "czw",       "czwartek",    "di",          "dienstag",
    "dim",       "dimanche",  "dinsdag",     "do",          "dom",
    "domenica",  "domingo",   "donderdag",   "donnerstag",  "duminică",
    "feira",     "fr",        "fre",         "fredag",      "freitag",
    "fri",       "friday",    "gio",         "giovedì",     "hétfő",
    "jeu",       "jeudi",     "joi",         "jue",         "jueves",
    "k",         "ke",        "kedd",        "keskiviikko", "la",
    "lauantai",  "lun",       "lundi",       "lunedì",      "lunes",
    "luni",      "lör",       "lördag",      "lør",         "lørdag",
    "ma",        "maanantai", "maandag",     "man",         "mandag",
    "mar",       "mardi",     "martedì",     "martes",      "marți",
    "mer",       "mercoledì", "mercredi",    "mi",          "mie",
    "mier",      "miercuri",  "mittwoch",    "mié",         "miércoles",
    "mo",        "mon",       "monday",      "montag",      "mån",
    "måndag",    "ne",        "neděle",      "niedz",       "niedziela",
    "ons",       "onsdag",    "p",           "paz",         "pazar",
    "pazartesi", "pe",        "per",         "perjantai",   "perşembe",
    "piątek",    "po",        "pon",         "pondělí",     "poniedziałek",
    "pt",        "pzt",       "pá",          "pátek",       "péntek",
    "qua",       "quarta",    "qui",         "quinta",      "sa",
    "sab",       "sabato",    "sal",         "salı",        "sam",
    "samedi",    "samstag",   "sat",         "saturday",    "seg",
    "segunda",   "sex",       "sexta",       "so",          "sob",
    "sobota",    "sonntag",   "st",          "středa",      "su",
    "sun",       "sunday",    "sunnuntai",   "sze",         "szerda",
    "szo",       "szombat",   "sáb",         "sábado",      "sâm",
    "sâmb",      "sâmbătă",   "sön",         "söndag",      "søn",
    "søndag",    "ter",       "terça",       "thu",         "thursday",
    "ti",        "tiistai",   "tir",         "tirs",        "tirsdag",
    "tis",       "tisdag",    "to",          "tor",         "tors",
    "torsdag",   "torstai",   "tue",         "tuesday",     "vas",
    "vasárnap",  "ven",       "vendredi",    "venerdì",     "vie",
    "viernes",   "vin",       "vineri",      "vr",          "vrijdag",
    "wed",       "wednesday", "wo",          "woensdag",    "wt",
    "wtorek",    "za",        "zaterdag",    "zo",          "zondag",
    "çar",       "çarşamba",  "út",          "úterý",       "čt",
    "čtvrtek",   "śr",        "środa",       "δευ",         "δευτέρα",
    "κυρ",       "κυριακή",   "πέμ",         "πέμπτη",      "παρ",
    "παρασκευή", "σάβ",       "σάββατο",     "τετ",         "τετάρτη",
    "τρί",       "τρίτη",     "воскресенье", "вс",          "вт",
    "вторник",   "вівторок",  "нд",          "неділя",      "п'ятниця",
    "пʼятниця",  "пн",        "понедельник", "понеділок",   "пт",
    "пятница",   "сб",        "середа",      "ср",          "среда",
    "суббота",   "субота",    "четвер",      "четверг",     "чт",
    "금",        "금요일",    "목",          "목요일",      "수",
    "수요일",    "월",        "월요일",      "일",          "일요일",
    "토",        "토요일",    "화",          "화요일",
};
// What links the parts of a date, and time zones; Chinese and Japanese stand here as well.
constexpr std::string_view links[] = {
    "a",    "a.m",     "alle",    "am",     "as",     "at",     "bst",    "cdt",        "cest",
    "cet",  "cst",     "de",      "del",    "den",    "dia",    "dnia",   "dniu",       "edt",
    "eest", "eet",     "el",      "em",     "est",    "giorno", "gmt",    "godz",       "godzinie",
    "h",    "heeft",   "időpont", "il",     "jst",    "kl",     "klo",    "la",         "las",
    "le",   "los",     "mdt",     "mst",    "nd",     "no",     "o",      "odesílatel", "of",
    "om",   "on",      "op",      "ora",    "ore",    "p.m",    "pdt",    "pe",         "pm",
    "pst",  "rd",      "saat",    "st",     "th",     "the",    "uhr",    "um",         "utc",
    "v",    "w",       "à",       "às",     "în",     "η",      "μ.μ",    "ο",          "π.μ",
    "στις", "χρήστης", "в",       "г",      "о",      "от",     "р",      "上午",       "下午",
    "于",   "午前",    "午後",    "周一",   "周三",   "周二",   "周五",   "周六",       "周四",
    "周日", "於",      "星期一",  "星期三", "星期二", "星期五", "星期六", "星期四",     "星期日",
    "週一", "週三",    "週二",    "週五",   "週六",   "週四",   "週日",   "오전",       "오후",
};

template <std::size_t size>
bool has(const std::string_view (&words)[size], std::string_view word) {
    return std::ranges::binary_search(words, word);
}

static_assert(std::ranges::is_sorted(months) && std::ranges::is_sorted(weekdays) &&
              std::ranges::is_sorted(links));

}  // namespace

CalendarWord calendar_word(std::string_view word) {
    if (has(months, word)) return CalendarWord::month;
    if (has(weekdays, word)) return CalendarWord::weekday;
    return has(links, word) ? CalendarWord::link : CalendarWord::none;
}

}  // namespace mailroom::mime
