import type { Host } from "../../hosts/host.ts";
import type { CertificateFeed } from "../feed.ts";
import type { NatsLink } from "./link.ts";
import { certificateSubject, parseHostname } from "./subjects.ts";
import { decodeCertificate } from "./values.ts";

export interface NatsCertificates extends CertificateFeed {
  /** A newer value was written; the name it is of. */
  noted(subject: string, sequence: number): string;
}

/** DNS is asked before an order. */
const orderTimeoutMs = 15_000;
const maxNoted = 10_000;

/** Certificates by the stream; orders and challenges by a process with the database. */
export function createNatsCertificates(link: NatsLink): NatsCertificates {
  const noted = new Map<string, number>();

  const newest = async (subject: string) => {
    const found = await link.newest(subject);
    const isBehind = (found?.seq ?? 0) < (noted.get(subject) ?? 0);
    return isBehind ? link.newestOfLeader(subject) : found;
  };

  return {
    async load({ hostname, epoch }, now) {
      const found = await newest(certificateSubject(hostname));
      const certificate = found && decodeCertificate(found.data);
      if (certificate?.epoch !== epoch || certificate.notAfter <= now) return null;
      return certificate;
    },
    async order(host, signal) {
      if (signal.aborted) return false;
      return (await link.ask("order", toClaim(host), orderTimeoutMs)) === true;
    },
    isExpected: async (host) => (await link.ask("is-expected", toClaim(host))) === true,
    httpChallenge: async (hostname, token) =>
      readText(await link.ask("http-challenge", { hostname, token })),
    tlsChallenge: async (hostname) => readText(await link.ask("tls-challenge", { hostname })),
    noted(subject, sequence) {
      if (noted.size >= maxNoted) noted.clear();
      noted.set(subject, sequence);
      return parseHostname(subject);
    },
  };
}

function toClaim({ hostname, epoch }: Host): object {
  return { hostname, epoch };
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
