import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import { connect as netConnect, Socket } from "node:net";
import { describe, it } from "node:test";
import { findAdapter, ProviderError, providers } from "@mooring/dns";
import { type Connect, createGuard, type GuardOptions } from "@mooring/egress";
import { certificate, listenHttp, listenHttps } from "@mooring/testing/egress/loopback";
import { customerServer, type Fields } from "./open-provider.ts";
import { createProviderLine, createProviderTraffic } from "./traffic.ts";

const key_secret = Buffer.alloc(32, 7).toString("base64");

/** A credential of each provider whose server the customer names, with this one. */
const credentials: Readonly<Record<string, (server: string) => Fields>> = {
  cpanel: (server) => ({ server, username: "shop", api_token: "token-0123456789" }),
  directadmin: (server) => ({ server, username: "shop", login_key: "key-0123456789" }),
  plesk: (server) => ({ server, secret_key: "key-0123456789" }),
  powerdns: (server) => ({ api_url: server, api_key: "key-0123456789" }),
  rfc2136: (server) => ({
    server: server.replace(/^https?:\/\//, ""),
    zone: "shop.example",
    key_name: "key",
    key_secret,
    key_algorithm: "hmac-sha256",
  }),
};
const slugs = Object.keys(credentials);
const overHttps = slugs.filter((slug) => slug !== "rfc2136");

const internalAddresses = [
  "127.0.0.1",
  "127.8.8.8",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.1.1",
  "169.254.169.254",
  "100.100.100.200",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:169.254.169.254",
  "::ffff:a00:1",
  "64:ff9b::7f00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "fe80::1",
  "fc00::1",
  "fd00:ec2::254",
] as const;

/** What a call to the server came to; nothing but a ProviderError is expected. */
async function call(
  slug: string,
  fields: Fields,
  options: GuardOptions,
): Promise<ProviderError | null> {
  const adapter = findAdapter(slug);
  assert.ok(adapter !== null);
  try {
    const server = customerServer(adapter.manifest, fields);
    const line = createProviderLine(createProviderTraffic(), createGuard(options), slug, server);
    const provider = adapter.open(fields, {
      ...line,
      wait: async () => undefined,
      timeoutMs: 2_000,
    });
    await provider.listZones(new AbortController().signal);
    return null;
  } catch (error) {
    assert.ok(error instanceof ProviderError, String(error));
    return error;
  }
}

/** Opens nothing but loopback, so that a hole in the guard reaches no further. */
function countingConnect(dialled: string[]): Connect {
  return ({ port, addresses }) => {
    const address = addresses[0]?.address ?? "";
    dialled.push(address);
    if (address === "127.0.0.1") return netConnect({ host: address, port });
    return new Socket().destroy(new Error("not reachable from a test"));
  };
}

describe("a server that a customer names", () => {
  it("is tried for every provider that takes one", () => {
    const taking = providers.filter(({ serverFields }) => serverFields !== undefined);
    assert.deepEqual(taking.map(({ slug }) => slug).toSorted(), slugs.toSorted());
  });

  for (const [slug, fieldsFor] of Object.entries(credentials)) {
    it(`is dialled at no address inside, given as such or by a name: ${slug}`, async () => {
      const dialled: string[] = [];
      const connect = countingConnect(dialled);
      const messages = new Set<string>();
      for (const address of internalAddresses) {
        const host = address.includes(":") ? `[${address}]` : address;
        const literal = fieldsFor(`https://${host}:8443`);
        const named = fieldsFor("https://panel.example:8443");
        const lookup = async () => ["8.8.8.8", address];
        for (const [fields, options] of [
          [literal, { connect }],
          [named, { connect, lookup }],
        ] as const) {
          const failure = await call(slug, fields, options);
          assert.equal(failure?.kind, "unavailable", `${address}: ${String(failure)}`);
          messages.add(failure.message);
        }
      }
      assert.deepEqual(dialled, []);
      // Nothing tells which of them exists.
      assert.equal(messages.size, 1);
    });

    it(`is checked again for each connection, whatever its name resolves to by then: ${slug}`, async () => {
      const dialled: string[] = [];
      let lookups = 0;
      const lookup = async () => {
        lookups += 1;
        return lookups % 2 === 1 ? ["8.8.8.8"] : ["127.0.0.1"];
      };
      const fields = fieldsFor("https://panel.example:8443");
      const failure = await call(slug, fields, { connect: countingConnect(dialled), lookup });
      assert.equal(failure?.kind, "unavailable");
      assert.ok(lookups >= 2);
      assert.deepEqual(new Set(dialled), new Set(["8.8.8.8"]));
    });

    it(`is not spoken to when the connection leads elsewhere: ${slug}`, async () => {
      let received = 0;
      await using inside = await listenHttp(() => {
        received += 1;
      });
      const failure = await call(slug, fieldsFor(`https://panel.example:${inside.port}`), {
        lookup: async () => ["8.8.8.8"],
        connect: ({ port }) => netConnect({ host: "127.0.0.1", port }),
      });
      assert.equal(failure?.kind, "unavailable");
      assert.equal(received, 0);
    });
  }
});

describe("a server that a customer names, over https", () => {
  const allowed = { allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.1"] };
  const pin = createHash("sha256").update(new X509Certificate(certificate).raw).digest("hex");
  const spelled = `SHA256 Fingerprint=${pin.toUpperCase().replace(/..(?=.)/g, "$&:")}`;

  for (const slug of overHttps) {
    const fieldsFor = credentials[slug];
    assert.ok(fieldsFor !== undefined);

    const withServer = async (
      onRequest: RequestListener,
      work: (fields: Fields, asked: () => number) => Promise<void>,
    ): Promise<void> => {
      let asked = 0;
      await using server = await listenHttps((request, response) => {
        asked += 1;
        onRequest(request, response);
      });
      await work(fieldsFor(`https://panel.example:${server.port}`), () => asked);
    };

    it(`has a verified certificate, or the one with the fingerprint: ${slug}`, () =>
      withServer(
        (_request, response) => void response.writeHead(401).end(),
        async (fields, asked) => {
          const unverified = await call(slug, fields, allowed);
          assert.equal(unverified?.kind, "unavailable");
          const other = {
            ...fields,
            certificate_sha256: pin.replace(/^./, pin[0] === "0" ? "1" : "0"),
          };
          assert.equal((await call(slug, other, allowed))?.kind, "unavailable");
          assert.equal(asked(), 0);
          for (const certificate_sha256 of [pin, spelled]) {
            const reached = await call(slug, { ...fields, certificate_sha256 }, allowed);
            assert.equal(reached?.kind, "auth");
          }
          assert.equal(asked(), 2);
          const malformed = await call(slug, { ...fields, certificate_sha256: "abc" }, allowed);
          assert.deepEqual([malformed?.kind, asked()], ["auth", 2]);
        },
      ));

    it(`is never asked without TLS: ${slug}`, async () => {
      await using server = await listenHttp((_request, response) => response.end("[]"));
      const failure = await call(slug, fieldsFor(`http://panel.example:${server.port}`), allowed);
      assert.equal(failure?.kind, "auth");
      assert.equal(server.connects(), 0);
    });

    it(`leads nowhere else, and its answers are in no message: ${slug}`, async () => {
      await using elsewhere = await listenHttps((_request, response) => response.end("[]"));
      const secret = "root:x:0:0 internal answer";
      for (const status of [200, 302, 307, 400, 401, 404, 422, 500]) {
        await withServer(
          (_request, response) => {
            response.writeHead(status, {
              "content-type": "application/json",
              location: `https://panel.example:${elsewhere.port}/`,
            });
            const failure = { error: secret, message: secret, errors: [secret], result: secret };
            response.end(JSON.stringify({ status: 0, data: null, ...failure }));
          },
          async (fields) => {
            const failure = await call(slug, { ...fields, certificate_sha256: pin }, allowed);
            assert.ok(failure !== null, `${status}`);
            assert.doesNotMatch(failure.message, /internal|root/, `${status}`);
          },
        );
      }
      assert.equal(elsewhere.connects(), 0);
    });
  }
});

describe("the certificate of a public server", () => {
  it("is named as the reason, with what to do", async () => {
    await using server = await listenHttps((_request, response) => response.end("[]"));
    const fields = credentials["plesk"]?.(`https://panel.example:${server.port}`) ?? {};
    // The peer is what was checked, as far as the guard can tell: only the address is ours.
    const connect: Connect = ({ port }) => {
      const socket = netConnect({ host: "127.0.0.1", port });
      Object.defineProperty(socket, "remoteAddress", { get: () => "8.8.8.8" });
      return socket;
    };
    const failure = await call("plesk", fields, { connect, lookup: async () => ["8.8.8.8"] });
    assert.match(failure?.message ?? "", /certificate could not be verified.*fingerprint/);
  });
});
