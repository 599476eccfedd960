import { constants } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { StoredCertificate } from "../db/certificates.ts";
import { certificateKeyContext } from "../db/certificates.ts";
import type { Host } from "../hosts/host.ts";
import type { OcspStaples } from "./ocsp/staples.ts";
import { deriveSessionIdContext, enableTickets, type SessionTickets } from "./session-tickets.ts";
import { sealingMs } from "./ticket-schedule.ts";

/**
 * Only forward secrecy and authenticated encryption. AES-128 comes first: it is as strong in
 * practice, and its SHA-256 has processor instructions, so a handshake costs less than with
 * SHA-384.
 */
const cipherList = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];
const cipherSuites = cipherList.join(":");

/** The same for a server that lists those of TLS 1.3 apart. */
export const serverCiphers = {
  tls12: cipherList.filter((name) => !name.startsWith("TLS_")).join(":"),
  tls13: cipherList.filter((name) => name.startsWith("TLS_")).join(":"),
} as const;

const secureOptions = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE;

/**
 * The TLS context of one certificate. With `tickets` the sessions of its host can be resumed, by
 * ticket only: Node keeps none to be resumed by id. Without, none can. There is no 0-RTT data.
 */
export function createServerContext(
  pair: { readonly cert: string; readonly key: string },
  tickets: SessionTickets | null = null,
): SecureContext {
  const shared = {
    cert: pair.cert,
    key: pair.key,
    minVersion: "TLSv1.2",
    ciphers: cipherSuites,
  } as const;
  if (tickets === null) {
    return createSecureContext({
      ...shared,
      secureOptions: secureOptions | constants.SSL_OP_NO_TICKET,
    });
  }
  const context = createSecureContext({
    ...shared,
    secureOptions,
    sessionIdContext: deriveSessionIdContext(tickets.binding),
    sessionTimeout: sealingMs / 1_000,
  });
  enableTickets(context, tickets);
  return context;
}

/** Certificates in memory; the least recently used are evicted. */
export interface ContextCache {
  /** Null unless a valid certificate of exactly this claim is in memory. */
  get(host: Host): SecureContext | null;
  open(certificate: StoredCertificate, tenantId: string): SecureContext;
  forget(hostname: string): void;
  forgetAll(): void;
}

/**
 * An open context takes some 40 KB outside the heap, a row 3 KB, and a row is opened in less than a
 * millisecond: busy names have open contexts, the others only rows.
 */
const maxOpen = 250;
const maxRows = 2_000;
/** By then every handshake that was given the context uses it, or keeps it open. */
const closeAfterMs = 50;

/** How many keep a context open. */
const keepers = new WeakMap<SecureContext, number>();

/** Until the returned function is called, the context can make connections. */
export function keepOpen(context: SecureContext): () => void {
  const add = (count: number): void => {
    keepers.set(context, (keepers.get(context) ?? 0) + count);
  };
  add(1);
  return () => add(-1);
}

export function createContextCache(
  vault: Vault,
  clock: Clock,
  secrets: SessionTickets["secrets"] | null,
  staples: Pick<OcspStaples, "attach"> | null = null,
): ContextCache {
  const rows = new Map<string, StoredCertificate>();
  const opened = new Map<string, SecureContext>();
  const close = createCloser();

  const setOpen = (hostname: string, context: SecureContext): void => {
    const before = opened.get(hostname);
    if (before !== undefined && before !== context) close(before);
    const evicted = putLast(opened, hostname, context, maxOpen);
    if (evicted !== undefined) close(evicted);
  };

  const open = (certificate: StoredCertificate, tenantId: string): SecureContext => {
    const { hostname, epoch, chain, sealedKey } = certificate;
    const associatedData = certificateKeyContext(tenantId, hostname);
    const key = vault.open("certificate_key", associatedData, sealedKey).toString("utf8");
    const binding = { tenantId, hostname, epoch, chain };
    const context = createServerContext({ cert: chain, key }, secrets && { secrets, binding });
    staples?.attach(context, chain);
    putLast(rows, hostname, certificate, maxRows);
    setOpen(hostname, context);
    return context;
  };

  const forget = (hostname: string): void => {
    rows.delete(hostname);
    const context = opened.get(hostname);
    if (context !== undefined) close(context);
    opened.delete(hostname);
  };

  return {
    get({ hostname, epoch, tenantId }) {
      const row = rows.get(hostname);
      if (!row || row.epoch !== epoch || row.notAfter <= clock.now()) return null;
      const context = opened.get(hostname);
      if (!context) return open(row, tenantId);
      putLast(rows, hostname, row, maxRows);
      setOpen(hostname, context);
      return context;
    },
    open,
    forget,
    forgetAll() {
      for (const hostname of [...rows.keys()]) forget(hostname);
    },
  };
}

/**
 * Frees the memory of contexts outside the heap, which the garbage collector does not see and would
 * leave for minutes: some 60 MB for a few thousand names. Connections created from a context hold
 * their own references. Only contexts that are no longer in the cache are closed.
 */
function createCloser(): (context: SecureContext) => void {
  let closing: SecureContext[] = [];
  const closeUnused = (): void => {
    const used: SecureContext[] = [];
    for (const context of closing) {
      if ((keepers.get(context) ?? 0) > 0) used.push(context);
      else context.context.close();
    }
    closing = used;
    if (closing.length > 0) setTimeout(closeUnused, closeAfterMs).unref();
  };
  return (context) => {
    closing.push(context);
    if (closing.length === 1) setTimeout(closeUnused, closeAfterMs).unref();
  };
}

/** Inserts at the end, so that the map is in order of use; returns the evicted value. */
function putLast<T>(map: Map<string, T>, key: string, value: T, max: number): T | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.size > max ? map : [];
  if (oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
