import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countingConnect, listenHttp, listenTcp } from "@mooring/testing/egress/loopback";
import { recordPromise } from "@mooring/testing/processes/soak";
import { parseCidr } from "./address.ts";
import { EgressError } from "./egress-error.ts";
import { createGuard } from "./guard.ts";
import { specialPurpose } from "./special-purpose.ts";

const low32 = 0xffff_ffffn;

const dotted = (value: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");
const hexPair = (value: bigint) =>
  `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
const octets = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn);

/** Hosts of a URL that all mean one IPv4 address, directly or inside an IPv6 address. */
const spellings: Readonly<Record<string, (value: bigint) => string>> = {
  dotted,
  "dotted with a final dot": (value) => `${dotted(value)}.`,
  decimal: (value) => value.toString(),
  octal: (value) =>
    octets(value)
      .map((octet) => `0${octet.toString(8)}`)
      .join("."),
  hexadecimal: (value) =>
    octets(value)
      .map((octet) => `0x${octet.toString(16)}`)
      .join("."),
  "one hexadecimal number": (value) => `0x${value.toString(16)}`,
  short: (value) => `${value >> 24n}.${value & 0xff_ffffn}`,
  "full-width digits": (value) =>
    dotted(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  "percent-encoded": (value) => dotted(value).replace(/\d/g, (digit) => `%3${digit}`),
  "mapped, dotted": (value) => `[::ffff:${dotted(value)}]`,
  "mapped, hexadecimal": (value) => `[::ffff:${hexPair(value)}]`,
  "mapped, written out": (value) => `[0:0:0:0:0:FFFF:${hexPair(value)}]`,
  compatible: (value) => `[::${dotted(value)}]`,
  translated: (value) => `[::ffff:0:${hexPair(value)}]`,
  NAT64: (value) => `[64:ff9b::${dotted(value)}]`,
  "local NAT64": (value) => `[64:ff9b:1::${hexPair(value)}]`,
  "6to4": (value) => `[2002:${hexPair(value)}::1]`,
  Teredo: (value) => `[2001:0:808:808::${hexPair(value ^ low32)}]`,
};

/** First, middle and last address of a block. */
function samples(block: string): bigint[] {
  const cidr = parseCidr(block);
  assert.ok(cidr !== null);
  const size = 1n << BigInt((cidr.family === 4 ? 32 : 128) - cidr.prefix);
  return [...new Set([cidr.value, cidr.value + size / 2n, cidr.value + size - 1n])];
}

const v4Blocks = specialPurpose.filter((row) => !row.block.includes(":"));
const v6Blocks = specialPurpose.filter((row) => row.block.includes(":") && row.rule !== "embedded");

const v4Hosts = v4Blocks.flatMap((row) =>
  samples(row.block).flatMap((value) => Object.values(spellings).map((spell) => spell(value))),
);
const v6Hosts = v6Blocks.flatMap((row) =>
  samples(row.block).flatMap((value) => {
    const text = value.toString(16).padStart(32, "0").match(/.{4}/g)?.join(":") ?? "";
    return [`[${text}]`, `[${text.toUpperCase()}]`, new URL(`http://[${text}]`).hostname];
  }),
);

/** A header holds no other characters. */
function isAscii(host: string): boolean {
  return /^[ -~]+$/.test(host);
}

function isRefusedAddress(error: unknown): true {
  assert.ok(error instanceof EgressError);
  assert.equal(error.kind, "refused_address", error.message);
  return true;
}

describe("special-purpose addresses are never dialled", () => {
  /** How many hosts were refused in each way. */
  const refused: number[] = [];

  test("in any spelling in a URL", async () => {
    await using listener = await listenTcp();
    const { connect, dials } = countingConnect();
    const guard = createGuard({ connect });
    const hosts = [...v4Hosts, ...v6Hosts];
    assert.ok(hosts.length > 1_000);
    for (const host of hosts) {
      const url = `http://${host}:${listener.port}/`;
      assert.throws(() => guard.checkUrl(url), isRefusedAddress, host);
      await assert.rejects(guard.request(url), isRefusedAddress, host);
      await assert.rejects(guard.fetch(url), isRefusedAddress, host);
    }
    assert.deepEqual([dials.length, listener.connects()], [0, 0]);
    refused.push(hosts.length);
  });

  test("as the answer for a name, alone or among public addresses", async () => {
    await using listener = await listenTcp();
    const { connect, dials } = countingConnect();
    const hosts = [...v4Hosts, ...v6Hosts].map((host) => new URL(`http://${host}/`).hostname);
    const addresses = [...new Set(hosts.map((host) => host.replace(/[[\]]/g, "")))];
    for (const address of addresses) {
      for (const answer of [[address], ["8.8.8.8", address], [address, "2606:4700::1111"]]) {
        const guard = createGuard({ connect, lookup: async () => answer });
        const sent = guard.request(`http://name.example:${listener.port}/`);
        await assert.rejects(sent, isRefusedAddress, address);
      }
    }
    assert.deepEqual([dials.length, listener.connects()], [0, 0]);
    refused.push(addresses.length);
  });

  test("as the target of a redirect", async () => {
    let location = "";
    await using server = await listenHttp((_, response) => {
      response.writeHead(307, { location }).end();
    });
    const { connect, dials } = countingConnect();
    const lookup = async () => ["127.0.0.1"];
    const guard = createGuard({ connect, lookup, allow: ["127.0.0.1/32"] });
    const url = `http://hook.example:${server.port}/`;
    const reachable = [...v4Hosts, ...v6Hosts].filter(isAscii);
    for (const host of reachable) {
      location = `http://${host}:${server.port}/`;
      assert.equal((await guard.request(url)).status, 307, host);
    }
    assert.deepEqual([dials.length, server.connects()], [reachable.length, reachable.length]);
    refused.push(reachable.length);
    const [urls, answers, redirects] = refused;
    if (redirects === undefined) return;
    recordPromise(
      "G12",
      `${urls} hosts in URLs, ${answers} answers for a name, ${redirects} redirects: the registry in ` +
        `${Object.keys(spellings).length} spellings`,
      "0 dialled",
    );
  });

  test("when a resolver vouches for a literal address with another one", async () => {
    await using listener = await listenTcp();
    const { connect, dials } = countingConnect();
    const guard = createGuard({ connect, lookup: async () => ["8.8.8.8"] });
    for (const host of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
      await assert.rejects(guard.dial({ host, port: listener.port }), isRefusedAddress, host);
      await assert.rejects(guard.resolve(host), isRefusedAddress, host);
    }
    assert.deepEqual([dials.length, listener.connects()], [0, 0]);
  });

  test("in the system's own resolution of loopback names and loose spellings", async () => {
    await using listener = await listenTcp();
    const guard = createGuard();
    const dialled = guard.dial({ host: "localhost", port: listener.port });
    await assert.rejects(dialled, isRefusedAddress);
    // The spellings of inet_aton: no name, and for other software an address.
    for (const host of ["0x7f.1", "127.1", "0177.0.0.1", "2130706433", "0x7f000001."]) {
      await assert.rejects(guard.dial({ host, port: listener.port }), isRefusedAddress, host);
    }
    assert.equal(listener.connects(), 0);
  });

  test("and the message names the rule, never the address", async () => {
    const guard = createGuard({ lookup: async () => ["10.11.12.13"] });
    await assert.rejects(guard.request("http://name.example/"), (error: unknown) => {
      assert.ok(error instanceof EgressError);
      assert.match(error.message, /private use \(RFC 1918\)/);
      assert.ok(!error.message.includes("10.11"));
      return true;
    });
  });
});

describe("what is allowed is dialled", () => {
  test("a CIDR of the allow list opens loopback in every spelling that reaches it", async () => {
    await using listener = await listenTcp((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
    const guard = createGuard({ allow: ["127.0.0.0/8"] });
    const hosts = ["127.0.0.1", "2130706433", "0177.1", "0x7f.1", "[::ffff:127.0.0.1]"];
    for (const host of hosts) {
      const answer = await guard.request(`http://${host}:${listener.port}/`);
      assert.equal(answer.status, 200, host);
      assert.match(answer.remoteAddress, /^(::ffff:)?127\.0\.0\.1$/);
    }
    assert.equal(listener.connects(), hosts.length);
    await assert.rejects(guard.request("http://10.0.0.1/"), isRefusedAddress);
  });
});

describe("checkUrl", () => {
  const guard = createGuard();
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["text that is no URL", "not a url", /cannot be read/],
    ["an impossible address", "https://256.1.1.1/", /cannot be read/],
    ["another scheme", "ftp://host.example/", /must begin with https:\/\//],
    ["a local file", "file:///etc/passwd", /must begin with/],
    ["http where https is asked", "http://host.example/", /must begin with https:\/\//],
    ["a user name", "https://user@host.example/", /user name or password/],
    ["a password", "https://:secret@host.example/", /user name or password/],
    ["the port of SSH", "https://host.example:22/", /443, 80 or at least 1024/],
    ["port 0", "https://host.example:0/", /443, 80 or at least 1024/],
    ["port 1023", "https://host.example:1023/", /443, 80 or at least 1024/],
  ];
  for (const [what, url, expected] of refused) {
    test(`refuses ${what}`, () => {
      assert.throws(
        () => guard.checkUrl(url, { schemes: ["https"] }),
        (error: unknown) => {
          assert.ok(error instanceof EgressError);
          assert.equal(error.kind, "refused_url");
          assert.match(error.message, expected);
          assert.ok(!error.message.includes("secret"));
          return true;
        },
      );
    });
  }

  test("gives back the parsed URL of what it lets through", () => {
    for (const port of ["", ":443", ":80", ":1024", ":65535"]) {
      const url = guard.checkUrl(`https://Host.Example${port}/hook?x=1`, { schemes: ["https"] });
      assert.equal(url.hostname, "host.example");
    }
  });
});
