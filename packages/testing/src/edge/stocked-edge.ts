import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { certificateKeyContext } from "../../../edge/src/db/certificates.ts";
import { createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../edge/src/x509/keys.ts";
import { createVault, generateRootKey, parseRootKeys } from "../../../vault/src/index.ts";
import { type EdgeDatabase, openEdgeDatabase } from "./edge-database.ts";

/**
 * A database with many hosts and certificates, an origin, and counters of calls to the API and the
 * CA.
 */
export interface Stock {
  readonly database: EdgeDatabase;
  readonly names: readonly string[];
  /** The root of the certificates. */
  readonly root: string;
  /** The environment of a `mooring serve edge`, without its ports. */
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Requests to `/internal/ask`, and to the ACME directory. */
  calls(): { readonly ask: number; readonly acme: number };
  close(): Promise<void>;
}

const rowsAtOnce = 5_000;
const day = 86_400_000;

/** All hosts have the same certificate for `*.stock.example`; its key is sealed for each host. */
export async function stockEdge(count: number): Promise<Stock> {
  const database = await openEdgeDatabase();
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-stock-"));
  const names = Array.from({ length: count }, (_, index) => `n${index}.stock.example`);
  const secret = generateRootKey();
  const { root, chain, key } = await makeCertificate();
  const vault = createVault(parseRootKeys(secret));
  for (let at = 0; at < names.length; at += rowsAtOnce) {
    const some = names.slice(at, at + rowsAtOnce);
    const { tenantId } = await database.hold(...some);
    const sealed = some.map((name) =>
      vault.seal("certificate_key", certificateKeyContext(tenantId, name), key),
    );
    await storeAll(database, some, { chain, sealed });
  }
  // It answers when it has read the request: a slow body stays open until then.
  const origin = await listen(
    createServer((request, response) => {
      request.once("end", () => response.end(request.headers.host)).resume();
    }),
  );
  const [ask, acme] = [await startCounter(), await startCounter()];
  await database.admin.query("update applications set origin_url = $1", [origin.url]);
  return {
    database,
    names,
    root,
    directory,
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      SECRET_KEY: secret,
      ASK_URL: `${ask.url}/internal/ask`,
      ACME_DIRECTORY_URL: `${acme.url}/dir`,
      DNS_RESOLVERS: "127.0.0.1:9",
      ORIGIN_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "warn",
    },
    calls: () => ({ ask: ask.count(), acme: acme.count() }),
    async close() {
      for (const one of [origin, ask, acme]) {
        one.server.closeAllConnections();
        one.server.close();
      }
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function makeCertificate(): Promise<Record<"root" | "chain" | "key", string>> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - day), notAfter: new Date(now + 60 * day) };
  const authority = await createAuthority({ commonName: "Stock authority", ...validity });
  const key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const hostnames = ["*.stock.example"];
  const chain = await issueLeaf(authority, { hostnames, publicKey, ...validity });
  return { root: authority.certificatePem, chain, key: keyToPem(key) };
}

async function storeAll(
  { admin }: EdgeDatabase,
  names: readonly string[],
  stored: { readonly chain: string; readonly sealed: readonly string[] },
): Promise<void> {
  await admin.query(
    `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status,
       registrable_domain, issue_id, issuer, ca, chain, sealed_key, not_before, not_after, renew_at,
       due_at, issued_at, created_at)
     select c.hostname, c.connection_id, c.tenant_id, c.environment, c.epoch, 'issued',
       'stock.example', gen_random_uuid(), 'local', 'Stock authority', $3, n.sealed,
       now() - interval '1 day', now() + interval '60 days', now() + interval '40 days',
       now() + interval '40 days', now(), now()
     from unnest($1::text[], $2::text[]) n (hostname, sealed) join claims c using (hostname)`,
    [names, stored.sealed, stored.chain],
  );
}

interface Local {
  readonly server: Server;
  readonly url: string;
}

async function startCounter(): Promise<Local & { count(): number }> {
  let count = 0;
  const local = await listen(
    createServer((_request, response) => {
      count += 1;
      response.writeHead(500).end();
    }),
  );
  return { ...local, count: () => count };
}

async function listen(server: Server): Promise<Local> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
