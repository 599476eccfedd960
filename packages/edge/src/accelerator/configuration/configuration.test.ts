import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultLimits } from "../../config/limits.ts";
import { parseHaproxy } from "../haproxy-program.ts";
import { parseHaproxyUser } from "../haproxy-user.ts";
import { acceleratorPaths } from "../paths.ts";
import { haproxyConfiguration } from "./configuration.ts";

const options = {
  paths: acceleratorPaths("/var/lib/mooring"),
  descriptors: [3, 4],
  workers: 2,
  names: 3,
  loopId: "edge.example",
  limits: defaultLimits,
  http3: null,
  user: null,
} as const;

// biome-ignore lint/suspicious/noTemplateCurlyInString: as HAProxy reads it
const ownId = "${HAPROXY_LOCALPEER}";

describe("the configuration of HAProxy", () => {
  const text = haproxyConfiguration(options);
  const lines = text.split("\n").map((line) => line.trim());

  it("listens where the edge has opened its port, and nowhere else", () => {
    const binds = lines.filter((line) => line.startsWith("bind "));
    assert.deepEqual(binds.slice(0, 2), ["bind fd@3", "bind fd@4"]);
    assert.match(binds[2] ?? "", /^bind "unix@/);
    assert.equal(binds.length, 3);
  });

  it("passes TLS and decrypted requests to every worker, and has a slot for each name", () => {
    const directory = "/var/lib/mooring/edge/accelerator";
    for (const worker of [0, 1]) {
      assert.ok(
        lines.includes(`server w${worker} unix@${directory}/tls-${worker}.sock send-proxy-v2`),
      );
      assert.ok(
        text.includes(`${directory}/decrypted-${worker}.sock send-proxy-v2 proxy-v2-options`),
      );
    }
    assert.equal(lines.filter((line) => /^backend slot\d+ /.test(line)).length, 3);
    assert.doesNotMatch(text, /slot\d+ .*\n\s+server/);
  });

  it("becomes another user, in whose root its peers are", () => {
    assert.doesNotMatch(text, /^ {2}(?:chroot|uid|gid) /m);
    const other = haproxyConfiguration({ ...options, user: { uid: 107, gid: 110 } });
    const directory = "/var/lib/mooring/edge/accelerator";
    for (const line of [`chroot ${directory}`, "uid 107", "gid 110"]) {
      assert.ok(other.includes(`\n  ${line}\n`), line);
    }
    const peers = [...other.matchAll(/server \S+ "?unix@([^\s"]+)/g)].map(([, at]) => at);
    assert.deepEqual(
      new Set(peers),
      new Set(
        ["log", "tls-0", "tls-1", "decrypted-0", "decrypted-1", `web-${ownId}`].map(
          (at) => `/${at}.sock`,
        ),
      ),
    );
    assert.ok(other.includes(`bind "unix@${directory}/web-${ownId}.sock" mode 600 uid 107 `));
    const admin = `stats socket "unix@${directory}/admin-${ownId}.sock" mode 600 level admin\n`;
    assert.ok(other.includes(admin));
  });

  it("has no line of more words than HAProxy reads", () => {
    for (const line of lines) assert.ok(line.split(" ").length <= 60, line);
  });

  it("resumes no session, and takes nothing from disk but what is public", () => {
    assert.ok(lines.includes("tune.ssl.cachesize 0"));
    assert.match(text, /no-tls-tickets/);
    assert.doesNotMatch(text, /\bcrt \//);
  });

  it("drops the fields that the Node edge drops, and no framing", () => {
    const dropped = (from: "request" | "response"): RegExp => {
      const start = `http-${from} del-header `;
      const found = lines.filter((line) => line.startsWith(start));
      assert.equal(found.length, 1);
      return new RegExp(found[0]?.slice(start.length).split(" ", 1)[0] ?? "");
    };
    const forged = ["cf-connecting-ip", "forwarded", "proxy", "x-real-ip"];
    const more = ["x-forwarded", "x-forwarded-for", "x-svc-assertion", "sec-websocket-key"];
    for (const name of [...forged, ...more]) assert.match(name, dropped("request"));
    for (const name of ["host", "x-forward", "proxy-status"]) {
      assert.doesNotMatch(name, dropped("request"));
    }
    for (const name of ["alt-svc", "x-svc-reference"]) assert.match(name, dropped("response"));
    for (const name of ["content-length", "x-svc", "etag"]) {
      assert.doesNotMatch(name, dropped("response"));
    }
  });
});

describe("the user of HAProxy", () => {
  it("is that of Debian's package, and never root", () => {
    const line = "haproxy:x:107:110::/var/lib/haproxy:/usr/sbin/nologin";
    const found = parseHaproxyUser(`root:x:0:0:root:/root:/bin/sh\n${line}\n`);
    assert.deepEqual(found, { uid: 107, gid: 110 });
    assert.equal(parseHaproxyUser("root:x:0:0:root:/root:/bin/sh\n"), null);
    assert.equal(parseHaproxyUser("haproxy:x:0:0::/:/bin/sh\n"), null);
  });
});

describe("HTTP/3", () => {
  const http3 = { host: "::", port: 8443, publicPort: 443, isLimited: true };
  const text = haproxyConfiguration({ ...options, http3 });

  it("has a port for each family, announces the public one, and is off without settings", () => {
    assert.match(text, /bind quic4@0\.0\.0\.0:8443 .* strict-sni .*\n.*quic6@\[::\]:8443 v6only/);
    assert.ok(text.includes('h3=\\":443\\"; ma=300'));
    assert.doesNotMatch(haproxyConfiguration(options), /quic|alt-svc clear/);
  });

  it("is for a HAProxy that has QUIC by OpenSSL, from 3.0 on", () => {
    const words = (version: string, features: string, library: string): string =>
      `HAProxy version ${version}-1 2026/05/20\nFeature list : ${features}\nRunning on OpenSSL version : ${library}\n`;
    const quic = (...said: Parameters<typeof words>) => parseHaproxy(words(...said))?.quic;
    assert.equal(quic("3.0.11", "+QUIC +QUIC_OPENSSL_COMPAT +SSL", "OpenSSL 3.5.7"), "limited");
    assert.equal(quic("3.2.0", "+QUIC -QUIC_OPENSSL_COMPAT", "OpenSSL 3.5.7"), "full");
    assert.equal(quic("2.6.12", "-QUIC +SSL", "OpenSSL 3.0.17"), "none");
    assert.equal(quic("3.0.11", "+QUIC +SSL", "AWS-LC 1.30.0"), "none");
    assert.equal(parseHaproxy(""), null);
  });
});

describe("acceleratorPaths", () => {
  it("refuses a directory whose sockets would have too long a name", () => {
    assert.throws(() => acceleratorPaths(`/${"a".repeat(80)}`), /DATA_DIR is too long/);
  });
});
