import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { BootstrapError, findServer, parseBootstrap, permittedRedirect } from "./bootstrap.ts";
import {
  dueNotice,
  firstQuestionAt,
  nextNoticeAt,
  nextQuestionAt,
  registeredDomain,
} from "./registration.ts";

const day = 86_400_000;
const before = (end: Date, days: number, ms = 0): Date => new Date(end.getTime() - days * day + ms);

describe("the notices of an end", () => {
  // In Europe's and America's weeks of summer time, around leap days, and at a year's end.
  const ends = [
    "2026-04-05T01:30:00Z",
    "2026-11-01T08:59:59.999Z",
    "2028-02-29T00:00:00Z",
    "2028-03-30T12:00:00Z",
    "2027-01-01T00:00:00Z",
  ].map((text) => new Date(text));

  it("are due 30, 7 and 1 days before it, to the millisecond", () => {
    for (const end of ends) {
      assert.equal(dueNotice(end, null, before(end, 30, -1)), null);
      for (const [days, next] of [
        [30, 7],
        [7, 1],
        [1, null],
      ] as const) {
        assert.equal(dueNotice(end, null, before(end, days)), days);
        assert.equal(dueNotice(end, { expiresAt: end, days }, before(end, days)), null);
        const notified = { expiresAt: end, days };
        const justBefore = before(end, next ?? 0, -1);
        assert.equal(dueNotice(end, notified, justBefore), null);
        const at = nextNoticeAt(end, before(end, days));
        assert.deepEqual(at, next === null ? null : before(end, next));
      }
      assert.deepEqual(nextNoticeAt(end, before(end, 300)), before(end, 30));
    }
  });

  it("are not sent for what was missed, but the tightest is", () => {
    const [end = new Date()] = ends;
    assert.equal(dueNotice(end, null, before(end, 3)), 7);
    assert.equal(dueNotice(end, { expiresAt: end, days: 30 }, before(end, 0, -5)), 1);
    // A worker that was down at the end tells late; nobody is notified of an end long past.
    assert.equal(dueNotice(end, { expiresAt: end, days: 7 }, before(end, -0.5)), 1);
    assert.equal(dueNotice(end, { expiresAt: end, days: 7 }, before(end, -1.01)), null);
    assert.equal(dueNotice(null, null, end), null);
  });

  it("begin again after a renewal, and not when the same end is spelled otherwise", () => {
    const [end = new Date()] = ends;
    const notified = { expiresAt: end, days: 1 };
    const spelled = new Date(end.getTime() + 3_600_000);
    assert.equal(dueNotice(spelled, notified, before(end, 1)), null);
    const renewed = new Date(end.getTime() + 365 * day);
    assert.equal(dueNotice(renewed, notified, end), null);
    assert.equal(dueNotice(renewed, notified, before(renewed, 29)), 30);
    // An end that moved forward is notified where it is tighter.
    const sooner = new Date(end.getTime() - 20 * day);
    assert.equal(dueNotice(sooner, { expiresAt: end, days: 30 }, before(end, 26)), 7);
  });
});

describe("the questions of a domain", () => {
  const now = new Date("2026-11-18T17:31:05.123Z");

  it("are one a day, at a time of the day that is the domain's own", () => {
    const first = nextQuestionAt("acme.com", now);
    assert.equal(first.toISOString().slice(0, 10), "2026-11-19");
    assert.equal(nextQuestionAt("acme.com", first).getTime() - first.getTime(), day);
    const due = firstQuestionAt("acme.com", now).getTime() - now.getTime();
    assert.ok(due >= 0 && due < day);
  });

  it("are spread over the day", () => {
    const hours = new Array<number>(24).fill(0);
    for (let index = 0; index < 24_000; index += 1) {
      const at = nextQuestionAt(`name-${index}.example`, now).getUTCHours();
      hours[at] = (hours[at] ?? 0) + 1;
    }
    assert.ok(Math.min(...hours) > 800 && Math.max(...hours) < 1_200, String(hours));
  });

  it("are about what a registry has registered, whatever is below it", () => {
    const cases = [
      ["shop.acme.com", "acme.com"],
      ["acme.co.uk", "acme.co.uk"],
      ["*.shop.acme.co.uk", "acme.co.uk"],
      // A suffix of the list's private section is somebody's ordinary domain.
      ["shop.acme.github.io", "github.io"],
      ["shop.acme.test", "acme.test"],
      ["co.uk", null],
    ] as const;
    for (const [name, domain] of cases) assert.equal(registeredDomain(name), domain, name);
  });
});

describe("the bootstrap file", () => {
  const shipped = readFileSync(new URL("../../../assets/rdap/dns.json", import.meta.url), "utf8");
  const file = (change: object = {}): string =>
    JSON.stringify({
      version: "1.0",
      publication: "2026-11-01T00:00:00Z",
      services: [
        [
          ["com", "net"],
          ["http://rdap.example/com", "https://rdap.example/com"],
        ],
        [["test"], ["http://127.0.0.1:8080/"]],
        [["sub.com"], ["https://sub.example:8443/rdap/"]],
      ],
      ...change,
    });

  it("of the release has its date and over a thousand top-level domains", () => {
    const { publishedAt, servers } = parseBootstrap(shipped);
    assert.equal(publishedAt.toISOString(), "2026-03-23T19:00:02.000Z");
    assert.ok(servers.size > 1_000);
    assert.equal(servers.get("com"), "https://rdap.verisign.com/com/v1/");
    assert.equal(servers.get("uk"), "https://rdap.nominet.uk/uk/");
    // Reserved names (RFC 6761) and registries without RDAP are in nobody's file.
    for (const none of ["test", "localhost", "example", "de"])
      assert.equal(servers.get(none), undefined);
  });

  it("names the server of the longest suffix, with TLS where there is one", () => {
    const bootstrap = parseBootstrap(file());
    assert.equal(findServer(bootstrap, "acme.com"), "https://rdap.example/com/");
    assert.equal(findServer(bootstrap, "acme.sub.com"), "https://sub.example:8443/rdap/");
    assert.equal(findServer(bootstrap, "acme.test"), "http://127.0.0.1:8080/");
    assert.equal(findServer(bootstrap, "acme.org"), null);
  });

  it("is refused whole when a part of it is not as it should be", () => {
    const texts = [
      "",
      "[]",
      file({ version: "2.0" }),
      file({ publication: "yesterday" }),
      file({ services: [] }),
      file({ services: {} }),
      file({ services: [[["com"]]] }),
      file({ services: [[["com"], []]] }),
      file({ services: [[["com"], ["ftp://rdap.example/"]]] }),
      file({ services: [[["com"], ["https://user:secret@rdap.example/"]]] }),
      file({ services: [[["c m"], ["https://rdap.example/"]]] }),
      file({ services: [[[1], ["https://rdap.example/"]]] }),
    ];
    for (const text of texts) assert.throws(() => parseBootstrap(text), BootstrapError, text);
  });

  it("lets redirects lead to its servers only, and never out of TLS", () => {
    const bootstrap = parseBootstrap(file());
    const from = new URL("https://rdap.example/com/domain/acme.com");
    const to = (location: string | null) =>
      permittedRedirect(bootstrap, from, location)?.href ?? null;
    assert.equal(to("/v2/domain/acme.com"), "https://rdap.example/v2/domain/acme.com");
    assert.equal(to("https://sub.example:8443/x"), "https://sub.example:8443/x");
    const refused = [
      null,
      "http://rdap.example/x",
      "https://sub.example/x",
      "https://evil.example/x",
      "https://169.254.169.254/",
      "https://rdap.example@evil.example/",
      "https://user@rdap.example/",
      "file:///etc/passwd",
      "https://rdap.example.evil.example/",
    ];
    for (const location of refused) assert.equal(to(location), null, String(location));
  });
});
