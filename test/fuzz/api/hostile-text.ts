/** Text that statements, parsers, logs and pages have stumbled over. */
export const hostileText: readonly string[] = [
  ...["", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "\u202emoc", "\ufeff", "\u{10ffff}", "%00"],
  ...["'; drop table tenants; --", "' or '1'='1", "$1", "{}", "[]", "null", "undefined", "NaN"],
  ...["../../etc/passwd", "..%2f..%2f", "/", "//", "\\", "?", "#", "%", "%zz", "%25%30%30", "*"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "<script>alert(1)</script>"],
  ...["$\u007b7*7}", "{{7*7}}", "a".repeat(256), "ä".repeat(2_000), "1e309", "-0", "0x10", "١٢٣"],
  ...["a@b", "http://127.0.0.1/", "https://[::1]/", "file:///etc/passwd", "javascript:alert(1)"],
  ...[
    "localhost",
    "127.0.0.1",
    "169.254.169.254",
    "xn--",
    "xn--a",
    "a..b",
    ".",
    "*.test",
    "-a.test",
  ],
  ...["2026-02-30T00:00:00Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "\r\nX-A: b", "\n"],
];

/** JSON values that are rarely expected. */
export const hostileValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, -1e308, 2 ** 31, 2 ** 53, [], {}, [[]], [null]],
  ...[{ $ne: null }, { toString: "x" }, [1, "a", {}], { id: {} }, { length: 1e9 }],
];

/** Bodies that are no JSON, or JSON that parsers disagree about. */
export const hostileBodies: readonly string[] = [
  ...[
    "",
    "{",
    "}",
    '"',
    "null",
    "1",
    '"text"',
    "[]",
    "[{}]",
    "{}}",
    "{'a':1}",
    '{"a":1,}',
    "\ufeff{}",
  ],
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"name":"a","name":"b"}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
  `{"name":"${"a".repeat(70_000)}"}`,
  `{"n":${"9".repeat(400)}}`,
];
