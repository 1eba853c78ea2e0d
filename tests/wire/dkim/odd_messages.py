"""Messages with one oddity each, as two DKIM implementations may see them differently."""

FROM = b"From: Ann <ann@example.com>\r\n"

MESSAGES = {
    "plain": FROM + b"To: bob@example.net\r\nSubject: hello\r\n\r\nHello Bob\r\n",
    "empty body": FROM + b"Subject: nothing\r\n\r\n",
    "empty lines only": FROM + b"\r\n\r\n\r\n\r\n",
    "empty lines at the end": FROM + b"\r\na\r\n\r\n\r\n",
    "empty lines in the middle": FROM + b"\r\na\r\n\r\n\r\nb\r\n",
    "blank line at the end": FROM + b"\r\na\r\n \t \r\n",
    "blanks at line ends": FROM + b"\r\na \r\nb\t\r\n c  d\t\te\r\n",
    "leading blanks": FROM + b"\r\n  a\r\n\tb\r\n",
    "no line end": FROM + b"\r\nno line end",
    "long line": FROM + b"\r\n" + b"x" * 5000 + b"\r\n",
    "folded headers": FROM
    + b"To: a@example.net,\r\n\tb@example.net ,\r\n  c@example.net\r\n"
    + b"Subject:\r\n folded \r\n here\r\n\r\nx\r\n",
    "mixed case and blanks": FROM + b"SUBJECT:  Many   blanks\t\r\n\r\nx\r\n",
    "empty subject": FROM + b"Subject:\r\n\r\nx\r\n",
    "several To": FROM + b"To: a@example.net\r\nTo: b@example.net\r\n\r\nx\r\n",
    "eight bit": FROM + "Subject: café ☕\r\n\r\nZürich\r\n".encode(),
    "not UTF-8": FROM + b"Subject: caf\xe9\r\n\r\n\xff\xfe\x00\r\n",
    "dots": FROM + b"\r\n.\r\n..\r\n.a\r\n",
    "multipart": FROM
    + b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary="b"\r\n\r\n'
    + b"--b\r\n\r\na\r\n--b--\r\n",
    "unsubscribe": FROM
    + b"List-Unsubscribe: <https://example.com/u>\r\n"
    + b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\nx\r\n",
    "colons and semicolons": FROM + b"Subject: a: b; c=d; b=e\r\n\r\nx\r\n",
    "long references": FROM
    + b"References:"
    + b"".join(b"\r\n <%d@example.com>" % i for i in range(200))
    + b"\r\n\r\nx\r\n",
    "large body": FROM + b"\r\n" + b"A line of  text \r\n" * 20000,
}
