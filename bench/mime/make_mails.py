"""python3 make_mails.py DIRECTORY: writes the three mails that are parsed, always the same."""
import base64
import pathlib
import random
import sys

HEADERS = """Return-Path: <ann.lee@shop.example>
Received: from mx1.shop.example (mx1.shop.example [192.0.2.10])
\tby mail.example.com (Postfix) with ESMTPS id 4F2C1A0001
\tfor <support@example.com>; Sun, 15 Nov 2026 10:00:07 +0000 (UTC)
Received: from app.shop.example (app.shop.example [192.0.2.11])
\tby mx1.shop.example with ESMTP id 77AB; Sun, 15 Nov 2026 10:00:03 +0000
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=k1;
\th=from:to:subject:date:message-id; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;
\tb=dGhpcyBpcyBub3QgYSBzaWduYXR1cmUgYnV0IGxvb2tzIGxpa2Ugb25lIGZvciB0aGUgcGFyc2Vy
Date: Sun, 15 Nov 2026 11:00:02 +0100
From: =?utf-8?Q?Ann_L=C3=A9e?= <ann.lee@shop.example>
To: "Support, Example" <support@example.com>, Bob Stone <bob@example.com>
Cc: sales@example.com
Subject: =?utf-8?Q?Re:_Gr=C3=B6=C3=9Fe_and_price_of_the_order?= 20261115-0042
Message-ID: <20261115110002.77AB@shop.example>
In-Reply-To: <offer-0042@example.com>
References: <first-0042@example.com> <second-0042@example.com>
\t<offer-0042@example.com>
MIME-Version: 1.0
X-Mailer: Shop Mail 4.2
"""


def paragraphs(source, size):
    words = ("order price delivery street Monday please thank invoice number customer blue size "
             "box paper return answer number tomorrow question Größe café").split()
    text = ""
    while len(text) < size:
        line = ""
        while len(line) < 66:
            line += source.choice(words) + " "
        text += line.rstrip() + "\n" + ("\n" if source.random() < 0.15 else "")
    return text


def quoted_printable(text):
    out = []
    for line in text.encode().split(b"\n"):
        encoded = "".join(chr(b) if 32 <= b < 127 and b != 61 else f"={b:02X}" for b in line)
        while len(encoded) > 75:
            cut = 75
            while "=" in encoded[cut - 2:cut]:
                cut -= 1
            out.append(encoded[:cut] + "=")
            encoded = encoded[cut:]
        out.append(encoded)
    return "\n".join(out)


def html(source, size):
    rows = "<html><head><style>td { font-size: 14px; color: #333 }</style></head><body>"
    while len(rows) < size:
        rows += ('<tr style="background-color: #fff"><td align="left" class="cell">'
                 + paragraphs(source, 200).replace("\n", " ") + "</td></tr>\n")
    return rows + "</body></html>\n"


def main():
    source = random.Random(42)
    plain = ("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
             + paragraphs(source, 1100)
             + "\nOn Sat, Nov 14, 2026 at 9:00 AM Support <support@example.com> wrote:\n> "
             + paragraphs(source, 500).replace("\n", "\n> ") + "\n")
    text, page = paragraphs(source, 4000), html(source, 14000)
    alternative = ('Content-Type: multipart/alternative; boundary="=_alternative_0042"\n\n'
                   "--=_alternative_0042\nContent-Type: text/plain; charset=utf-8\n"
                   "Content-Transfer-Encoding: quoted-printable\n\n" + quoted_printable(text)
                   + "\n--=_alternative_0042\nContent-Type: text/html; charset=utf-8\n"
                   "Content-Transfer-Encoding: quoted-printable\n\n" + quoted_printable(page)
                   + "\n--=_alternative_0042--\n")
    file = base64.encodebytes(source.randbytes(100 * 1024)).decode()
    attachment = ('Content-Type: multipart/mixed; boundary="=_mixed_0042"\n\n'
                  "--=_mixed_0042\nContent-Type: text/plain; charset=utf-8\n\n"
                  + paragraphs(source, 800)
                  + '\n--=_mixed_0042\nContent-Type: application/pdf; name="offer.pdf"\n'
                  "Content-Transfer-Encoding: base64\n"
                  'Content-Disposition: attachment; filename="offer.pdf"\n\n'
                  + file + "--=_mixed_0042--\n")
    directory = pathlib.Path(sys.argv[1])
    bodies = {"plain": plain, "alternative": alternative, "attachment": attachment}
    for name, body in bodies.items():
        mail = (HEADERS + body).replace("\n", "\r\n")
        (directory / f"{name}.eml").write_bytes(mail.encode())


main()
