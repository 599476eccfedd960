import { loadCertificate } from "../../db/certificates.ts";
import type { CertificateFeed } from "../feed.ts";
import type { Reading } from "./replica.ts";

export interface ReplicaCertificates {
  readonly load: CertificateFeed["load"];
  /** The name's certificate has changed: the primary is read until the replica has the change. */
  changed(hostname: string): void;
  /** Changes may have been missed: the same for every name. */
  everyChanged(): void;
}

/**
 * Certificates by a replica that may be behind. One that is absent there may just have been
 * ordered: the primary says so.
 */
export function readCertificates(
  reading: Reading,
  load: CertificateFeed["load"],
): ReplicaCertificates {
  const changing = new Map<string, number>();
  let everyChanging = 0;
  return {
    async load(host, now) {
      const replica = reading.replica();
      if (replica === null || everyChanging > 0 || changing.has(host.hostname)) {
        return load(host, now);
      }
      const stored = await loadCertificate(replica, host.hostname, host.epoch, now).catch(
        () => null, // the watch over the replica reports why
      );
      return stored ?? load(host, now);
    },
    changed(hostname) {
      if (reading.replica() === null) return;
      changing.set(hostname, (changing.get(hostname) ?? 0) + 1);
      void reading.whenReplayed().then(() => {
        const left = (changing.get(hostname) ?? 1) - 1;
        if (left > 0) changing.set(hostname, left);
        else changing.delete(hostname);
      });
    },
    everyChanged() {
      everyChanging += 1;
      void reading.whenReplayed().then(() => {
        everyChanging -= 1;
      });
    },
  };
}
