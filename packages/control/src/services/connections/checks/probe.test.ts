import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { createServer, type Server } from "node:tls";
import { createGuard } from "@mooring/egress";
import { freePort } from "@mooring/testing/processes/free-port";
import {
  type Authority,
  createAuthority,
  issueLeaf,
} from "../../../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../../../edge/src/x509/keys.ts";
import { probeCertificate } from "./probe.ts";

const dayMs = 86_400_000;
const hostname = "shop.acme.example";
const guard = createGuard({ allow: ["127.0.0.0/8"] });
const from = (days: number): Date => new Date(Date.now() + days * dayMs);

describe("a probe of a hostname's addresses", () => {
  let authority: Authority;
  let untrusted: Authority;
  const servers: Server[] = [];
  before(async () => {
    const validity = { notBefore: from(-30), notAfter: from(30) };
    authority = await createAuthority({ commonName: "Acme's CA", ...validity });
    untrusted = await createAuthority({ commonName: "Untrusted", ...validity });
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  interface Shown {
    readonly by?: Authority;
    readonly name?: string;
    readonly days?: readonly [number, number];
    readonly address?: string;
    readonly port?: number;
  }

  /** A TLS server with the certificate, on a port of the address. */
  async function show(shown: Shown = {}): Promise<number> {
    const key = await generateKey();
    const [begin, end] = shown.days ?? [-1, 1];
    const cert = await issueLeaf(shown.by ?? authority, {
      hostnames: [shown.name ?? hostname],
      publicKey: createPublicKey(key).export({ type: "spki", format: "der" }),
      notBefore: from(begin),
      notAfter: from(end),
    });
    const server = createServer({ cert, key: keyToPem(key) }, (socket) => socket.resume());
    server.on("tlsClientError", () => undefined);
    servers.push(server);
    server.listen(shown.port ?? 0, shown.address ?? "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  const probe = (port: number, addresses = ["127.0.0.1"], signal = AbortSignal.timeout(30_000)) =>
    probeCertificate(
      guard,
      { hostname, addresses, port, ca: [authority.certificatePem], now: new Date() },
      signal,
    );

  it("reports issuer and validity of a trusted certificate for the name", async () => {
    const result = await probe(await show());
    assert.ok(result.outcome === "valid");
    assert.equal(result.certificate.ca, "Acme's CA");
    assert.ok(Math.abs(result.certificate.notAfter.getTime() - from(1).getTime()) < 60_000);
    assert.match(result.certificate.issueId, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });

  it("gives one certificate one id, and its renewal another", async () => {
    const [one, other] = [await show(), await show()];
    const ids = await Promise.all([one, one, other].map((port) => probe(port)));
    const [first, again, renewed] = ids.map((result) =>
      result.outcome === "valid" ? result.certificate.issueId : null,
    );
    assert.equal(first, again);
    assert.notEqual(first, renewed);
  });

  for (const [what, shown] of [
    ["of an untrusted CA", () => ({ by: untrusted })],
    ["for another name", () => ({ name: "other.acme.example" })],
    ["that has expired", () => ({ days: [-3, -1] as const })],
    ["that is not valid yet", () => ({ days: [1, 3] as const })],
  ] as const) {
    it(`takes no certificate ${what}`, async () => {
      assert.equal((await probe(await show(shown()))).outcome, "invalid");
    });
  }

  it("is invalid when one of several addresses presents a wrong certificate", async () => {
    const port = await show({ port: await freePort() });
    await show({ by: untrusted, address: "127.0.0.2", port });
    assert.equal((await probe(port, ["127.0.0.1", "127.0.0.2"])).outcome, "invalid");
    assert.equal((await probe(port, ["127.0.0.1", "127.0.0.3"])).outcome, "valid");
  });

  it("is unknown when no server answers, the guard refuses, or it takes too long", async () => {
    const port = await show();
    assert.equal((await probe(port, ["127.0.0.3"])).outcome, "unknown");
    assert.equal((await probe(port, [])).outcome, "unknown");
    assert.equal((await probe(port, ["10.0.0.1"])).outcome, "unknown");
    const silent = createTcpServer((socket) => socket.resume());
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const waiting = probe(
      (silent.address() as AddressInfo).port,
      undefined,
      AbortSignal.timeout(100),
    );
    assert.equal((await waiting).outcome, "unknown");
    silent.close();
  });
});
