import type { SecureContext } from "node:tls";
import type { Vault } from "@mooring/vault";
import type { Clock } from "../clock.ts";
import type { StoredCertificate } from "../db/certificates.ts";
import type { Host } from "../host.ts";
import { createServerContext } from "../server-context.ts";
import { certificateKeyContext } from "./seal.ts";

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
const maxOpen = 500;
const maxRows = 10_000;

export function createContextCache(vault: Vault, clock: Clock): ContextCache {
  const rows = new Map<string, StoredCertificate>();
  const opened = new Map<string, SecureContext>();

  const open = (certificate: StoredCertificate, tenantId: string): SecureContext => {
    const { hostname, chain, sealedKey } = certificate;
    const place = certificateKeyContext(tenantId, hostname);
    const key = vault.open("certificate_key", place, sealedKey).toString("utf8");
    const context = createServerContext({ cert: chain, key });
    putLast(rows, hostname, certificate, maxRows);
    putLast(opened, hostname, context, maxOpen);
    return context;
  };

  const forget = (hostname: string): void => {
    rows.delete(hostname);
    opened.delete(hostname);
  };

  return {
    get({ hostname, epoch, tenantId }) {
      const row = rows.get(hostname);
      if (!row || row.epoch !== epoch || row.notAfter <= clock.now()) return null;
      const context = opened.get(hostname);
      if (!context) return open(row, tenantId);
      putLast(rows, hostname, row, maxRows);
      putLast(opened, hostname, context, maxOpen);
      return context;
    },
    open,
    forget,
  };
}

/** Deleted first, so that the map's order is the order of use. */
function putLast<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > max ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
