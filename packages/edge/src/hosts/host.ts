import type { Application } from "./application.ts";

/** A hostname claimed by a connection. What its application sets is in `Application`. */
export interface Host {
  /** Lower-case A-label, no trailing dot. */
  readonly hostname: string;
  /** Grows with every claim of the name; certificates of an older epoch are not used. */
  readonly epoch: number;
  readonly environment: "test" | "live";
  readonly connectionId: string;
  readonly applicationId: string;
  readonly tenantId: string;
  readonly registrableDomain: string;
  /** The tenant's own name for its customer; absent where the connection has none. */
  readonly customerRef?: string;
  /**
   * The wildcard that this name is served by, with whose certificate; absent for a claim of its
   * own.
   */
  readonly coveredBy?: Host;
  /** What the connection sets; null, for most hosts, where it leaves all to its application. */
  readonly own: OwnSettings | null;
}

export interface OwnSettings {
  /** The host that visitors are sent to; null also while that is not served. */
  readonly redirectTo: string | null;
  /** Takes the place of the application's origins. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin" | null;
  /**
   * Rules of its own as the connection stores them; absent without one, and in what an older
   * release has written.
   */
  readonly rules?: unknown;
}

/** Whether the name exists in the sandbox's DNS only, which the control plane alone can ask. */
export function isSandbox({ environment, hostname }: Host): boolean {
  return environment === "test" && hostname.endsWith(".test");
}

/** The claim of a host, for a process beside this one that has to name it. */
export function claimText({ connectionId, epoch }: Host): string {
  return `${connectionId}.${epoch}`;
}

/** The known hosts, in memory: an unknown name costs no query. */
export interface HostTable {
  /** The claim of exactly this name, which may be a wildcard; null when there is none. */
  get(hostname: string): Host | null;
  /**
   * By which claim a visited name is served: its own, no matter who holds it, else that of the
   * wildcard one level up. Called on every handshake and again on every request.
   */
  find(hostname: string): Host | null;
  readonly size: number;
}

/** The known hosts with the settings of their applications. */
export interface ServedHosts extends HostTable {
  /** The settings for the host as they are now; the same object until they change. */
  applicationOf(host: Host): Application | null;
}
