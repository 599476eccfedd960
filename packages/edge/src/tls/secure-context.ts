import { constants } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Vault } from "@mooring/vault";
import { certificateKeyContext } from "../certificates/seal.ts";
import type { Clock } from "../config/settings.ts";
import type { StoredCertificate } from "../db/certificates.ts";
import type { Host } from "../hosts/host.ts";

/** Certificates in memory, bounded; the longest unused goes first. */
export interface ContextCache {
  /** Null when there is none for exactly this claim, or it has expired. */
  get(host: Host): SecureContext | null;
  open(certificate: StoredCertificate, tenantId: string): SecureContext;
  forget(hostname: string): void;
}

/**
 * An opened context takes some 40 KB outside the heap, a row takes 3 and is opened in less than a
 * millisecond: what is busy stays open, the rest stays near.
 */
const maxOpen = 250;
const maxRows = 2_000;
/** Whoever was given a context has made its connection from it long before. */
const closeAfterMs = 50;

export function createContextCache(vault: Vault, clock: Clock): ContextCache {
  const rows = new Map<string, StoredCertificate>();
  const opened = new Map<string, SecureContext>();
  const close = createCloser();

  const openedAs = (hostname: string, context: SecureContext): void => {
    const before = opened.get(hostname);
    if (before !== undefined && before !== context) close(before);
    const longestUnused = putLast(opened, hostname, context, maxOpen);
    if (longestUnused !== undefined) close(longestUnused);
  };

  const open = (certificate: StoredCertificate, tenantId: string): SecureContext => {
    const { hostname, chain, sealedKey } = certificate;
    const place = certificateKeyContext(tenantId, hostname);
    const key = vault.open("certificate_key", place, sealedKey).toString("utf8");
    const context = createServerContext({ cert: chain, key });
    putLast(rows, hostname, certificate, maxRows);
    openedAs(hostname, context);
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
      openedAs(hostname, context);
      return context;
    },
    open,
    forget,
  };
}

/**
 * Gives back what a context has outside the heap, which the garbage collector does not see and so
 * leaves for minutes: some 60 MB for a few thousand names. Connections made from it hold what they
 * need. Only those are closed that nobody can be given any more.
 */
function createCloser(): (context: SecureContext) => void {
  let leaving: SecureContext[] = [];
  return (context) => {
    leaving.push(context);
    if (leaving.length > 1) return;
    setTimeout(() => {
      for (const { context: native } of leaving) native.close();
      leaving = [];
    }, closeAfterMs).unref();
  };
}

/** Deleted first, so that the map's order is the order of use; gives what no longer has a place. */
function putLast<T>(map: Map<string, T>, key: string, value: T, max: number): T | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.size > max ? map : [];
  if (oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}

/**
 * Forward secret and authenticated only. 128 bits come first: the strength is the same in practice,
 * and a handshake costs less with SHA-256, which processors have instructions for, than with SHA-384.
 */
const cipherSuites = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/**
 * The context of one certificate, as every handshake needs it. No tickets, and Node keeps no store
 * for session ids: a resumed session would skip the choice of name, so none can be resumed.
 */
export function createServerContext(pair: {
  readonly cert: string;
  readonly key: string;
}): SecureContext {
  return createSecureContext({
    cert: pair.cert,
    key: pair.key,
    minVersion: "TLSv1.2",
    ciphers: cipherSuites,
    secureOptions:
      constants.SSL_OP_NO_TICKET |
      constants.SSL_OP_NO_RENEGOTIATION |
      constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
  });
}
