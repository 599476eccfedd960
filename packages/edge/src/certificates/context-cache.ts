import { createSecureContext, type SecureContext } from "node:tls";
import type { Vault } from "@mooring/vault";
import type { Clock } from "../clock.ts";
import type { StoredCertificate } from "../db/certificates.ts";
import type { Host } from "../host.ts";
import { certificateKeyContext } from "./seal.ts";

/** Opened certificates in memory, bounded; the longest unused goes first. */
export interface ContextCache {
  /** Null when there is none for exactly this claim, or it has expired. */
  get(host: Host): SecureContext | null;
  open(certificate: StoredCertificate, tenantId: string): SecureContext;
  forget(hostname: string): void;
}

interface Kept {
  readonly epoch: number;
  readonly notAfter: number;
  readonly context: SecureContext;
}

const maxKept = 10_000;

export function createContextCache(vault: Vault, clock: Clock): ContextCache {
  const kept = new Map<string, Kept>();

  const put = (hostname: string, one: Kept): void => {
    // Deleted first, so that the map's order is the order of use.
    kept.delete(hostname);
    kept.set(hostname, one);
    const oldest = kept.size > maxKept ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };

  return {
    get({ hostname, epoch }) {
      const one = kept.get(hostname);
      if (!one || one.epoch !== epoch || one.notAfter <= clock.now().getTime()) return null;
      put(hostname, one);
      return one.context;
    },
    open(certificate, tenantId) {
      const { hostname, epoch, chain, sealedKey, notAfter } = certificate;
      const place = certificateKeyContext(tenantId, hostname);
      const key = vault.open("certificate_key", place, sealedKey).toString("utf8");
      const context = createSecureContext({ cert: chain, key, minVersion: "TLSv1.2" });
      put(hostname, { epoch, notAfter: notAfter.getTime(), context });
      return context;
    },
    forget: (hostname) => void kept.delete(hostname),
  };
}
