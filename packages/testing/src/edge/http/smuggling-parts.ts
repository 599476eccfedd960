/** Spellings that servers are known to read differently, by the part of a request. */

export const encodings: readonly string[] = [
  ...["xchunked", "chunkedx", "chunked, chunked", "gzip, chunked", "chunked, gzip", "identity"],
  ...["chunked, identity", "identity, chunked", "chunked,", ",chunked", ", chunked", "chunked;q=1"],
  ...['"chunked"', "'chunked'", "chunk ed", "c hunked", "chunked\x0b", "\x0bchunked", "chunked\0"],
  ...[
    "\x01chunked",
    "deflate",
    "compress, chunked",
    "br",
    "x",
    "",
    "chunked chunked",
    "chunked\x7f",
  ],
  ...["chun\tked", "chunked; ext", "{chunked}", "chunked\xa0", "\xa0chunked", "cow, chunked", "*"],
];

export const encodingNames: readonly string[] = [
  ...["Transfer-Encoding ", " Transfer-Encoding", "\tTransfer-Encoding", "Transfer_Encoding"],
  ...["Transfer.Encoding", "Transfer-Encoding\0", "Transfer Encoding", "\x0bTransfer-Encoding"],
  ...[
    "Transfer-Encod\xefng",
    "(Transfer-Encoding)",
    "Transfer-Encoding\t",
    "",
    "Transfer-Encoding\x7f",
  ],
];

export const lengths: readonly string[] = [
  ...[
    "+5",
    "-5",
    "0x5",
    "5 5",
    "5,5",
    "5, 5",
    "5.0",
    "5e0",
    "",
    "five",
    "5;",
    "5\x0b",
    "\x0b5",
    "5\0",
  ],
  ...["\xa05", "5_", "٥", "9999999999999999", "18446744073709551621", "5 ,", "'5'", "5h", "00x5"],
];

export const hosts: readonly string[] = [
  ...[
    "x@shop.example",
    "shop.example@evil.example",
    "shop.example:80@evil.example",
    "shop.example/",
  ],
  ...["shop.example evil.example", "shop.example,evil.example", "shop.example, shop.example", ""],
  ...[
    "shop.example:",
    "shop.example:http",
    "shop.example:4433333",
    "shop.example:-1",
    "[::1]",
    "_",
  ],
  ...[
    "shop.example#",
    "shop.example?",
    "shop.example\\",
    "shop..example",
    ".shop.example",
    "shop_example",
  ],
  ...[
    "shop.example:80:80",
    "http://shop.example",
    "shop.example\xa0",
    "shop.example%00",
    "evil.example",
  ],
];

export const starts: readonly string[] = [
  ...["POST /case-@", "POST  /case-@ HTTP/1.1", "POST /case-@  HTTP/1.1", "POST /case-@ HTTP/1.1 "],
  ...[
    " POST /case-@ HTTP/1.1",
    "POST\t/case-@\tHTTP/1.1",
    "POST /case-@ http/1.1",
    "POST /case-@ HTTP/1.2",
  ],
  ...[
    "POST /case-@ HTTP/2.0",
    "POST /case-@ HTTP/0.9",
    "POST /case-@ HTTP/1.1.1",
    "POST /case-@ HTTP/11",
  ],
  ...[
    "POST /case-@ HTTP/1.10",
    "POST /case-@ HTTP /1.1",
    "POST /case-@#x HTTP/1.1",
    "POST case-@ HTTP/1.1",
  ],
  ...[
    "POST /case @ HTTP/1.1",
    "POST /case-@\0 HTTP/1.1",
    "POST /case-@\x0b HTTP/1.1",
    "POST * HTTP/1.1",
  ],
  ...["CONNECT shop.example:443 HTTP/1.1", "TRACE /case-@ HTTP/1.1", "POST\0 /case-@ HTTP/1.1"],
  ...[
    "P()ST /case-@ HTTP/1.1",
    " /case-@ HTTP/1.1",
    "/case-@ HTTP/1.1",
    "POST /case-@ ICAP/1.0",
    "POST",
  ],
  ...[
    "POST http://evil.example/case-@ HTTP/1.1",
    "POST https://shop.example@evil.example/case-@ HTTP/1.1",
  ],
  ...["POST https://x:y@shop.example/case-@ HTTP/1.1", "POST ftp://shop.example/case-@ HTTP/1.1"],
  ...[
    "POST https:///case-@ HTTP/1.1",
    "POST //evil.example:80\r/case-@ HTTP/1.1",
    "PRI * HTTP/2.0",
  ],
];

export const fieldLines: readonly string[] = [
  ...["X-A", "X-A b", ": b", "X A: b", "X-A : b", "X-A\t: b", " X-A: b", "X-A\0: b"],
  ...[
    "X-A: b\0c",
    "X-A: b\x01",
    "X-A: b\x7f",
    "X-A: b\rc",
    "X-A: b\nc",
    "X-A: b\n Host: x",
    "X(A): b",
  ],
  ...[
    "X-A: b\r\n folded: c",
    "X-A: b\r\n\tfolded",
    "X-A: b\r",
    "X-A: b\r\r",
    "\xefX: b",
    "X-A\xad: b",
  ],
  ...["Content_Length: 5", "Transfer.Encoding: chunked", "Host : shop.example"],
  ...[
    "Host: shop.example",
    "Host: evil.example",
    "hOST: evil.example",
    "\nTransfer-Encoding: chunked",
    "\rTransfer-Encoding: chunked",
  ],
];

/**
 * Names that some servers take for fields which an origin trusts; the request arrives without them.
 */
export const aliasLines: readonly string[] = [
  ...["X_Forwarded_For: 1.2.3.4", "X-Forwarded.Host: evil.example", "X_Real_IP: 1.2.3.4"],
  ...["X_Svc_Assertion: forged", "Remote.User: root", "Remote_User: root", "Client_IP: 1.2.3.4"],
  ...["__proto__: x", "Proxy_Connection: close", "True.Client.IP: 1.2.3.4", "Keep_Alive: 5"],
];

/** Chunk extensions that RFC 9112 §7.1.1 allows; they are dropped. */
export const chunkExtensions: readonly string[] = [
  ...[";ext", ";ext=1", " ; a = b", ';a="b;c"', ';a="\\"";b=c', ";a;b;c=d", ';a=""'],
];

export const chunkBodies: readonly string[] = [
  ...[';a="b\r\nhello\r\n0\r\n\r\n', "5;\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n"],
  ...[" 5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n"],
  ...[
    "0x5\r\nhello\r\n0\r\n\r\n",
    "5\nhello\r\n0\r\n\r\n",
    "5\r\nhello\n0\r\n\r\n",
    "5\rhello\r\n0\r\n\r\n",
  ],
  ...[
    "5\r\nhello0\r\n\r\n",
    "5\r\nhelloXX0\r\n\r\n",
    "g\r\nhello\r\n0\r\n\r\n",
    "\r\nhello\r\n0\r\n\r\n",
  ],
  ...[
    "100000000000000005\r\nhello\r\n0\r\n\r\n",
    "fffffffff\r\nhello",
    "5\0\r\nhello\r\n0\r\n\r\n",
  ],
  ...[
    "5\r\nhello\r\n0;x\n\r\n",
    "5\r\nhello\r\n0\n\n",
    "5\r\nhello\r\n0\r\n\n",
    "5;a=b c\r\nhello\r\n0\r\n\r\n",
    "5;a=\r\nhello\r\n0\r\n\r\n",
    "5;a\0\r\nhello\r\n0\r\n\r\n",
  ],
  ...[
    "0\r\nX-A : b\r\n\r\n",
    "0\r\nno colon\r\n\r\n",
    "0\r\n folded\r\n\r\n",
    "0\r\nX-A: b\0\r\n\r\n",
  ],
  ...[
    "5\r\n\r\nhello\r\n0\r\n\r\n",
    '5;a="\r\n"\r\nhello\r\n0\r\n\r\n',
    "5\r\r\nhello\r\n0\r\n\r\n",
  ],
  ...["0005;\r\nhello\r\n0\r\n\r\n", "5\t\r\nhello\r\n0\r\n\r\n", "5,5\r\nhello\r\n0\r\n\r\n"],
];
