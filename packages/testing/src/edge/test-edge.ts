import { createPublicKey } from "node:crypto";
import type { SecureContext } from "node:tls";
import { createGuard } from "@mooring/egress";
import type { CertificateSource } from "../../../edge/src/certificates/serve/source.ts";
import type { EdgeLimits } from "../../../edge/src/config/limits.ts";
import {
  type Application,
  type StoredApplication,
  toApplication,
} from "../../../edge/src/hosts/application.ts";
import type { Host, ServedHosts } from "../../../edge/src/hosts/host.ts";
import { createSiteApplications } from "../../../edge/src/hosts/site-application.ts";
import { createCoveredHosts } from "../../../edge/src/hosts/view/covered-hosts.ts";
import {
  type ListenerOptions,
  type Listeners,
  startListeners,
} from "../../../edge/src/listen/listeners.ts";
import type { Refusal } from "../../../edge/src/tls/certificate-source.ts";
import type { OcspStaples } from "../../../edge/src/tls/ocsp/staples.ts";
import { createServerContext } from "../../../edge/src/tls/secure-context.ts";
import type { TicketSecret } from "../../../edge/src/tls/session-tickets.ts";
import { type Authority, createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../edge/src/x509/keys.ts";

/** A host and, where the test does not name one, an application of its own. */
type HostChanges = Partial<Host> & Partial<Omit<StoredApplication, keyof Host | "id">>;

/** Hosts that a test adds and removes. */
export class TestHosts implements ServedHosts {
  readonly #hosts = new Map<string, Host>();
  readonly #applications = new Map<string, Application>();
  readonly #siteApplication = createSiteApplications();

  get size(): number {
    return this.#hosts.size;
  }

  get names(): readonly string[] {
    return [...this.#hosts.keys()];
  }

  get(hostname: string): Host | null {
    return this.#hosts.get(hostname) ?? null;
  }

  readonly find = createCoveredHosts((hostname) => this.get(hostname));

  applicationOf(host: Host): Application | null {
    return this.#siteApplication(this.#applications.get(host.applicationId) ?? null, host);
  }

  set(hostname: string, changes: HostChanges = {}): Host {
    const { originUrl = null, originHostHeader = "preserve", edge = {}, ...others } = changes;
    const { origins, originTls, sealedClientKey = null, isSuspended = false, ...own } = others;
    const host: Host = {
      hostname,
      epoch: 1,
      environment: "test",
      connectionId: `connection-of-${hostname.replaceAll(/[^a-z0-9]/g, "-")}`,
      applicationId: `application of ${hostname}`,
      tenantId: "tenant",
      registrableDomain: hostname,
      own: null,
      ...own,
    };
    const { applicationId: id, tenantId, environment } = host;
    const stored = { id, tenantId, environment, originUrl, originHostHeader, edge };
    const all = { ...stored, origins, originTls, sealedClientKey, isSuspended };
    this.#applications.set(id, toApplication(all));
    this.#hosts.set(hostname, host);
    return host;
  }

  delete(hostname: string): void {
    this.#hosts.delete(hostname);
  }
}

/** A source that creates a certificate for every requested host, and counts requests. */
class TestCertificates implements CertificateSource {
  readonly asked: string[] = [];
  readonly challenges = new Map<string, string>();
  /** Replaced by tests that hold handshakes or refuse them. */
  answer: (host: Host, signal: AbortSignal) => Promise<SecureContext | Refusal>;
  readonly #authority: Authority;
  readonly #contexts = new Map<string, Promise<SecureContext>>();
  readonly #made = new Map<string, SecureContext>();

  constructor(authority: Authority) {
    this.#authority = authority;
    this.answer = (host) => this.makeContext(host.hostname);
  }

  /** Those that two edges share have the same tickets; without any, no session can be resumed. */
  ticketSecrets: readonly TicketSecret[] = [];

  /** Unless set, every handshake waits for `contextFor`, which tests can delay. */
  hasCached = false;

  cached({ hostname }: Host): SecureContext | null {
    return this.hasCached ? (this.#made.get(hostname) ?? null) : null;
  }

  contextFor(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal> {
    this.asked.push(host.hostname);
    return this.answer(host, signal);
  }

  existing({ hostname }: Host): Promise<SecureContext> {
    return this.makeContext(hostname);
  }

  /** What is stapled; nothing unless set. */
  staples: Pick<OcspStaples, "current"> | null = null;

  staple(context: SecureContext): Buffer | null {
    return this.staples?.current(context) ?? null;
  }

  async challengeContext(hostname: string): Promise<SecureContext | null> {
    return this.challenges.has(hostname) ? await this.makeContext(hostname) : null;
  }

  async challengeResponse(hostname: string, token: string): Promise<string | null> {
    return this.challenges.get(`${hostname}/${token}`) ?? null;
  }

  makeContext(hostname: string): Promise<SecureContext> {
    const known = this.#contexts.get(hostname);
    if (known !== undefined) return known;
    const made = leafFor(this.#authority, { hostnames: [hostname] }).then((pair) => {
      const context = this.#open(hostname, pair);
      this.#made.set(hostname, context);
      return context;
    });
    this.#contexts.set(hostname, made);
    return made;
  }

  #open(hostname: string, pair: { readonly cert: string; readonly key: string }): SecureContext {
    if (this.ticketSecrets.length === 0) return createServerContext(pair);
    const binding = { tenantId: "tenant", hostname, epoch: 1, chain: pair.cert };
    return createServerContext(pair, { secrets: () => this.ticketSecrets, binding });
  }
}

export async function leafFor(
  authority: Authority,
  names: { readonly hostnames?: readonly string[]; readonly addresses?: readonly string[] },
): Promise<{ readonly cert: string; readonly key: string }> {
  const key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const cert = await issueLeaf(authority, { ...names, publicKey, ...validity() });
  return { cert, key: keyToPem(key) };
}

export interface TestEdge extends Listeners {
  readonly hosts: TestHosts;
  readonly certificates: TestCertificates;
  readonly authority: Authority;
  readonly warnings: object[];
  /** What was logged about requests that the edge answered itself. */
  readonly refusals: object[];
  /** Waits until visitors come to what is under test; see `accelerator/promoted-edge.ts`. */
  ready?(hostname: string): Promise<void>;
}

/** Tests come from one address and share a machine, so these limits are off. */
const roomyLimits: Partial<EdgeLimits> = {
  connectionsPerAddress: 100_000,
  handshakesPerAddressPerSecond: 1_000_000,
  shedDelayMs: Number.POSITIVE_INFINITY,
  refuseDelayMs: Number.POSITIVE_INFINITY,
  sweepMs: 50,
  drainIdleMs: 0,
};

export type TestEdgeOptions = Partial<ListenerOptions> & {
  readonly limits?: Partial<EdgeLimits>;
};

let startEdge: (options: TestEdgeOptions) => Promise<TestEdge> = startNodeEdge;

/** From now on the tests of this process get another edge. */
export function replaceTestEdge(start: typeof startEdge): void {
  startEdge = start;
}

/** The edge that a test is about, at a port of loopback. */
export function startTestEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  return startEdge(options);
}

/** The Node edge in this process. */
export async function startNodeEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  const authority = await createAuthority({ commonName: "Test authority", ...validity() });
  const hosts = new TestHosts();
  const certificates = new TestCertificates(authority);
  const warnings: object[] = [];
  const refusals: object[] = [];
  const silent = () => undefined;
  const listeners = await startListeners({
    hosts,
    certificates,
    originGuard: createGuard({ allowPrivate: true }),
    originTls: { ca: authority.certificatePem },
    assertion: (host) => `assertion-for-${host.hostname}`,
    probeAnswers: (nonce, hostname, listener) => `${nonce} ${hostname} ${listener}`,
    ownershipTokens: (hostname, connectionId) => `token of ${hostname} ${connectionId}`,
    outcomes: { succeeded: silent, failed: silent },
    log: {
      debug: silent,
      info: (fields, message) => message === "request refused" && refusals.push(fields),
      warn: (fields) => warnings.push(fields),
      error: silent,
    },
    http: { host: "127.0.0.1", port: 0 },
    https: { host: "127.0.0.1", port: 0 },
    ...options,
    limits: { ...roomyLimits, ...options.limits },
  });
  return { ...listeners, hosts, certificates, authority, warnings, refusals };
}

export function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 86_400_000) };
}
