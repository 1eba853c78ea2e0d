"""python3 make_pages.py DIRECTORY

Writes the HTML of three mails: a newsletter of nested tables, a long conversation of quotes, and
an order with many rows. The same bytes each time.
"""
import pathlib
import sys

WORDS = ("price order delivery Größe customer invoice number offer black leather summer "
         "collection parcel account thanks regards please table chair lamp answer").split()


def words(start, count):
    return " ".join(WORDS[(start * 7 + i * 5) % len(WORDS)] for i in range(count))


def newsletter():
    yield ('<!DOCTYPE html><html><head><meta charset="utf-8"><title>News</title><style>.btn{color:'
           '#fff;background:#06c}@media only screen{.w{width:100%!important}}</style></head>'
           '<body style="margin:0;padding:0" bgcolor="#eeeeee">'
           '<div style="display:none;max-height:0">Preview text</div>')
    for i in range(70):
        yield (f'<table width="600" cellpadding="0" cellspacing="0" border="0" class="w"'
               f' align="center">\n<tr>\n<td style="padding:20px;font-family:Arial,sans-serif;'
               f'font-size:14px;color:#333333" align="left">\n<table width="100%"><tr>'
               f'<td width="200"><a href="https://shop.example/p/{i}?utm_source=mail&amp;id={i}">'
               f'<img src="https://cdn.example/i/{i}.png" alt="Product {i}" width="200"'
               f' height="150" style="display:block;border:0"></a></td>\n<td valign="top">'
               f'<h2 style="margin:0 0 8px 0">{words(i, 4)} &amp; more</h2>\n<p>{words(i, 40)}'
               f' <b>only {i},99&nbsp;&euro;</b></p><p>{words(i + 3, 30)}</p>\n'
               f'<a class="btn" href="https://shop.example/buy/{i}" style="padding:8px 16px">'
               f'Buy now</a></td></tr></table>\n</td>\n</tr>\n</table>\n')
    yield "</body></html>"


def conversation():
    yield '<html><body><div dir="ltr">Hello Ann,<br><br>' + words(1, 60) + "</div>"
    for i in range(40):
        yield (f'<br><div class="gmail_quote"><div dir="ltr">On Mon, 5 Jan 2026 at 10:{i:02} Bob '
               f'&lt;<a href="mailto:bob@example.org">bob@example.org</a>&gt; wrote:<br></div>'
               f'<blockquote style="margin:0 0 0 .8ex;border-left:1px #ccc solid">'
               + "".join(f"<p>{words(i + k, 45)}</p><ul><li>{words(k, 8)}</li><li>{words(k, 9)}"
                         f"</li></ul><div><br></div>" for k in range(3)))
    yield "</blockquote></div>" * 40 + "</body></html>"


def order():
    yield ('<html><body><p>Dear customer,</p><table border="1"><thead><tr><th>Number</th><th>'
           "Article</th><th>Price</th></tr></thead><tbody>")
    for i in range(700):
        yield (f'<tr style="background:#fafafa"><td align="right">{i}</td><td><span style="color:'
               f'#222">{words(i, 6)}</span><br><small>{words(i, 4)}</small></td>'
               f"<td><b>{i}.50</b> EUR</td></tr>\n")
    yield "</tbody></table></body></html>"


def main():
    directory = pathlib.Path(sys.argv[1])
    for page in (newsletter, conversation, order):
        (directory / f"{page.__name__}.html").write_text("".join(page()), encoding="utf-8")


main()
