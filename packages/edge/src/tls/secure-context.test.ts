import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { before, describe, it } from "node:test";
import { connect as connectTls, type SecureContext, TLSSocket } from "node:tls";
import { connectTo } from "@mooring/testing/edge/client";
import { createMovableClock } from "@mooring/testing/edge/edge-database";
import { createTestTickets, createTestVault } from "@mooring/testing/edge/issuing";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import type { StoredCertificate } from "../db/certificates.ts";
import { certificateKeyContext } from "../db/certificates.ts";
import type { Host } from "../hosts/host.ts";
import { createAuthority, issueLeaf } from "../x509/authority.ts";
import { generateKey, keyToPem } from "../x509/keys.ts";
import { createContextCache, keepOpen } from "./secure-context.ts";

const tenantId = "00000000-0000-7000-8000-000000000001";
const hourMs = 3_600_000;
/** Handshakes of which the last starts later than a context without a use is closed. */
const waiting = 200;

describe("certificates in memory", () => {
  const vault = createTestVault();
  let chain = "";
  let key = "";
  before(async () => {
    const now = Date.now();
    const validity = { notBefore: new Date(now - hourMs), notAfter: new Date(now + hourMs) };
    const authority = await createAuthority({ commonName: "Test authority", ...validity });
    const made = await generateKey();
    const publicKey = createPublicKey(made).export({ type: "spki", format: "der" });
    chain = await issueLeaf(authority, { hostnames: ["*.acme.example"], publicKey, ...validity });
    key = keyToPem(made);
  });

  function stored(hostname: string): StoredCertificate {
    const associatedData = certificateKeyContext(tenantId, hostname);
    const sealedKey = vault.seal("certificate_key", associatedData, key);
    return { hostname, epoch: 1, chain, sealedKey, notAfter: new Date(Date.now() + hourMs) };
  }

  function hostOf(hostname: string, epoch = 1): Host {
    return {
      hostname,
      epoch,
      tenantId,
      environment: "live",
      registrableDomain: "acme.example",
      own: null,
      connectionId: "connection",
      applicationId: "application",
    };
  }

  it("are used for their own claim and validity only, until they are forgotten", () => {
    const clock = createMovableClock();
    const cache = createContextCache(vault, clock, createTestTickets());
    const context = cache.open(stored("a.acme.example"), tenantId);
    assert.equal(cache.get(hostOf("a.acme.example")), context);
    assert.equal(cache.get(hostOf("a.acme.example", 2)), null);
    assert.equal(cache.get(hostOf("b.acme.example")), null);
    cache.open(stored("b.acme.example"), tenantId);
    cache.forget("b.acme.example");
    assert.equal(cache.get(hostOf("b.acme.example")), null);
    clock.advance(2 * hourMs);
    assert.equal(cache.get(hostOf("a.acme.example")), null);
  });

  it("are closed when many others are busier, and opened again without a query", () => {
    const cache = createContextCache(vault, createMovableClock(), createTestTickets());
    const names = Array.from({ length: 510 }, (_, index) => `h${index}.acme.example`);
    const first = new Map(names.map((name) => [name, cache.open(stored(name), tenantId)]));
    const isCached = (name: string): boolean => cache.get(hostOf(name)) === first.get(name);
    assert.equal(isCached("h509.acme.example"), true);
    assert.notEqual(cache.get(hostOf("h0.acme.example")), null);
    assert.equal(isCached("h1.acme.example"), false);
  });

  it("serve connections made from them also after they were closed", async () => {
    const cache = createContextCache(vault, createMovableClock(), createTestTickets());
    const context = cache.open(stored("a.acme.example"), tenantId);
    const closed = closingOf(context);
    const server = createServer((socket) => {
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context });
      secure.on("error", () => socket.destroy());
      secure.pipe(secure);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const plain = connect(portOf(server), "127.0.0.1");
    await once(server, "connection");
    cache.forget("a.acme.example");
    await closed;
    const client = connectTls({ socket: plain, rejectUnauthorized: false });
    client.write("after the end");
    const [echo] = await once(client, "data");
    assert.equal(String(echo), "after the end");
    client.destroy();
    server.close();
  });

  it("are closed only when nobody keeps them open", async () => {
    const cache = createContextCache(vault, createMovableClock(), createTestTickets());
    const [used, other] = ["a", "b"].map((label) =>
      cache.open(stored(`${label}.acme.example`), tenantId),
    );
    assert.ok(used && other);
    const letClose = [keepOpen(used), keepOpen(used)];
    let isClosed = false;
    const closed = closingOf(used).then(() => {
      isClosed = true;
    });
    const otherClosed = closingOf(other);
    cache.forgetAll();
    await otherClosed;
    letClose[0]?.();
    const next = cache.open(stored("b.acme.example"), tenantId);
    cache.forgetAll();
    await closingOf(next);
    assert.equal(isClosed, false);
    letClose[1]?.();
    await closed;
  });

  /** Handshakes that get a certificate at once and start one after the other. */
  async function startMany(answered: (edge: TestEdge) => void) {
    const cache = createContextCache(vault, createMovableClock(), createTestTickets());
    const edge = await startTestEdge();
    edge.hosts.set("a.acme.example");
    let asked = 0;
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    edge.certificates.answer = async () => {
      asked += 1;
      if (asked === waiting) resolve();
      await allAsked;
      const context = cache.open(stored("a.acme.example"), tenantId);
      cache.forget("a.acme.example");
      return context;
    };
    void allAsked.then(() => setImmediate(() => answered(edge)));
    const options = { rejectUnauthorized: false } as const;
    const clients = Array.from({ length: waiting }, () =>
      connectTo(edge, "a.acme.example", options),
    );
    const results = await Promise.allSettled(clients);
    for (const one of results) if (one.status === "fulfilled") one.value.destroy();
    await edge.close();
    return results;
  }

  it("serve many handshakes that wait for their start when they are forgotten", async () => {
    const results = await startMany(() => undefined);
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(["fulfilled"]));
  });

  it("are not served to handshakes that wait for their start when the name is released", async () => {
    const results = await startMany((edge) => edge.hosts.delete("a.acme.example"));
    const codes = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    assert.deepEqual(new Set(codes), new Set(["ERR_SSL_TLSV1_UNRECOGNIZED_NAME"]));
    assert.ok(codes.length > waiting / 2, `${codes.length} refused`);
  });
});

/** Resolves when the memory of the context outside the heap is freed. */
function closingOf(context: SecureContext): Promise<void> {
  return new Promise((resolve) => {
    const native = context.context;
    const close = native.close;
    native.close = () => {
      close.call(native);
      resolve();
    };
  });
}

function portOf(server: Server): number {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}
