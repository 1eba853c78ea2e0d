#include "mime/read/calendar_words.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

// Of English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian, Swedish,
// Danish, Norwegian, Czech and Finnish, long and short.
constexpr std::string_view months[] = {
    "abr",          "abril",       "ago",        "agosto",     "août",      "apr",
    "april",        "aprile",      "aug",        "august",     "augusti",   "augustus",
    "avr",          "avril",       "bře",        "březen",     "března",    "cze",
    "czerwca",      "czerwiec",    "dec",        "december",   "des",       "desember",
    "dez",          "dezember",    "dezembro",   "dic",        "dicembre",  "diciembre",
    "dub",          "duben",       "dubna",      "déc",        "décembre",  "elo",
    "elokuu",       "elokuuta",    "ene",        "enero",      "feb",       "febbraio",
    "febrero",      "februar",     "februari",   "february",   "fev",       "fevereiro",
    "févr",         "février",     "gen",        "gennaio",    "giu",       "giugno",
    "gru",          "grudnia",     "grudzień",   "heinä",      "heinäkuu",  "heinäkuuta",
    "helmi",        "helmikuu",    "helmikuuta", "huhti",      "huhtikuu",  "huhtikuuta",
    "jan",          "janeiro",     "januar",     "januari",    "january",   "janv",
    "janvier",      "joulu",       "joulukuu",   "joulukuuta", "juil",      "juillet",
    "juin",         "jul",         "julho",      "juli",       "julio",     "july",
    "jun",          "june",        "junho",      "juni",       "junio",     "jän",
    "jänner",       "kesä",        "kesäkuu",    "kesäkuuta",  "kvě",       "květen",
    "května",       "kwi",         "kwiecień",   "kwietnia",   "led",       "leden",
    "ledna",        "lip",         "lipca",      "lipiec",     "lis",       "listopad",
    "listopada",    "listopadu",   "loka",       "lokakuu",    "lokakuuta", "lug",
    "luglio",       "lut",         "lutego",     "luty",       "maalis",    "maaliskuu",
    "maaliskuuta",  "maart",       "mag",        "maggio",     "mai",       "maio",
    "maj",          "maja",        "mar",        "marca",      "march",     "marras",
    "marraskuu",    "marraskuuta", "mars",       "marts",      "marzec",    "marzo",
    "março",        "may",         "mayo",       "mei",        "mrt",       "mär",
    "märz",         "nov",         "november",   "novembre",   "novembro",  "noviembre",
    "oct",          "october",     "octobre",    "octubre",    "okt",       "oktober",
    "ott",          "ottobre",     "out",        "outubro",    "paź",       "październik",
    "października", "pro",         "prosince",   "prosinec",   "sep",       "sept",
    "september",    "septembre",   "septiembre", "set",        "setembro",  "settembre",
    "sie",          "sierpień",    "sierpnia",   "srp",        "srpen",     "srpna",
    "sty",          "styczeń",     "stycznia",   "syys",       "syyskuu",   "syyskuuta",
    "tammi",        "tammikuu",    "tammikuuta", "touko",      "toukokuu",  "toukokuuta",
    "wrz",          "wrzesień",    "września",   "zář",        "září",      "úno",
    "únor",         "února",       "červen",     "července",   "červenec",  "června",
    "čvc",          "čvn",         "říj",        "říjen",      "října",     "авг",
    "август",       "августа",     "апр",        "апрель",     "апреля",    "дек",
    "декабрь",      "декабря",     "июл",        "июль",       "июля",      "июн",
    "июнь",         "июня",        "май",        "мар",        "март",      "марта",
    "мая",          "нояб",        "ноябрь",     "ноября",     "окт",       "октябрь",
    "октября",      "сент",        "сентябрь",   "сентября",   "февр",      "февраль",
    "февраля",      "янв",         "январь",     "января",
};
constexpr std::string_view weekdays[] = {
    "czw",          "czwartek",  "di",        "dienstag",    "dim",         "dimanche",
    "dinsdag",      "do",        "dom",       "domenica",    "domingo",     "donderdag",
    "donnerstag",   "feira",     "fr",        "fre",         "fredag",      "freitag",
    "fri",          "friday",    "gio",       "giovedì",     "jeu",         "jeudi",
    "jue",          "jueves",    "ke",        "keskiviikko", "la",          "lauantai",
    "lun",          "lundi",     "lunedì",    "lunes",       "lör",         "lördag",
    "lør",          "lørdag",    "ma",        "maanantai",   "maandag",     "man",
    "mandag",       "mar",       "mardi",     "martedì",     "martes",      "mer",
    "mercoledì",    "mercredi",  "mi",        "mittwoch",    "mié",         "miércoles",
    "mo",           "mon",       "monday",    "montag",      "mån",         "måndag",
    "ne",           "neděle",    "niedz",     "niedziela",   "ons",         "onsdag",
    "pe",           "perjantai", "piątek",    "po",          "pon",         "pondělí",
    "poniedziałek", "pt",        "pá",        "pátek",       "qua",         "quarta",
    "qui",          "quinta",    "sa",        "sab",         "sabato",      "sam",
    "samedi",       "samstag",   "sat",       "saturday",    "seg",         "segunda",
    "sex",          "sexta",     "so",        "sob",         "sobota",      "sonntag",
    "st",           "středa",    "su",        "sun",         "sunday",      "sunnuntai",
    "sáb",          "sábado",    "sön",       "söndag",      "søn",         "søndag",
    "ter",          "terça",     "thu",       "thursday",    "ti",          "tiistai",
    "tir",          "tirs",      "tirsdag",   "tis",         "tisdag",      "to",
    "tor",          "tors",      "torsdag",   "torstai",     "tue",         "tuesday",
    "ven",          "vendredi",  "venerdì",   "vie",         "viernes",     "vr",
    "vrijdag",      "wed",       "wednesday", "wo",          "woensdag",    "wt",
    "wtorek",       "za",        "zaterdag",  "zo",          "zondag",      "út",
    "úterý",        "čt",        "čtvrtek",   "śr",          "środa",       "воскресенье",
    "вс",           "вт",        "вторник",   "пн",          "понедельник", "пт",
    "пятница",      "сб",        "ср",        "среда",       "суббота",     "четверг",
    "чт",
};
// What links the parts of a date, and time zones; Chinese and Japanese stand here as well.
constexpr std::string_view links[] = {
    "a",      "a.m",    "alle", "am",   "as",     "at",     "bst",    "cdt",    "cest",
    "cet",    "cst",    "de",   "del",  "den",    "dia",    "dnia",   "dniu",   "edt",
    "eest",   "eet",    "el",   "em",   "est",    "giorno", "gmt",    "godz",   "godzinie",
    "h",      "heeft",  "il",   "jst",  "kl",     "klo",    "las",    "le",     "los",
    "mdt",    "mst",    "nd",   "no",   "o",      "of",     "om",     "on",     "op",
    "ore",    "p.m",    "pdt",  "pm",   "pst",    "rd",     "st",     "th",     "the",
    "uhr",    "um",     "utc",  "v",    "w",      "à",      "às",     "в",      "г",
    "上午",   "下午",   "于",   "午前", "午後",   "周一",   "周三",   "周二",   "周五",
    "周六",   "周四",   "周日", "於",   "星期一", "星期三", "星期二", "星期五", "星期六",
    "星期四", "星期日", "週一", "週三", "週二",   "週五",   "週六",   "週四",   "週日",
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
