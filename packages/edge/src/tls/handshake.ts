import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Host, HostTable } from "../hosts/host.ts";
import type { Closable } from "../http/exchange.ts";
import type { HandshakeRefusal, HandshakeResult } from "../metrics/handshakes.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import { acmeTlsAlpn } from "../x509/acme-x509.ts";
import type { HandshakeCertificates } from "./certificate-source.ts";
import { normalizeServerName, readClientHello } from "./client-hello.ts";
import type { HandshakeStarts } from "./handshake-starts.ts";
import { setStaple } from "./ocsp/stapling.ts";
import { keepOpen } from "./secure-context.ts";

export interface HandshakeContext {
  readonly hosts: HostTable;
  readonly certificates: HandshakeCertificates;
  readonly limits: EdgeLimits;
  readonly stats: EdgeStats;
  readonly log: Log;
  readonly parked: ParkedHandshakes;
  /** Slots of their own: the visitors who wait for a certificate must not keep the CA out. */
  readonly challenges: ParkedHandshakes;
  readonly starts: HandshakeStarts;
  /** False under load: stored certificates are served, none is ordered. */
  readonly mayOrder: () => boolean;
  /** The handshake is complete; the callee owns the connection. */
  readonly onSecure: (socket: TLSSocket, host: Host) => void;
  /** The connection has been refused, has closed or was passed to `onSecure`. */
  readonly onEnded: (handshake: Handshake) => void;
}

const challengeProtocols = [acmeTlsAlpn];
const webProtocols = ["h2", "http/1.1"];

/** RFC 8446 §6: a fatal alert in one unencrypted record. */
const unrecognizedNameAlert = alert(112);
/** Not the client's fault; another edge may serve it. */
export const internalErrorAlert = alert(80);

function alert(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}

const noBytes = Buffer.alloc(0);
/** Shared by all handshakes: creating an error costs as much as the rest of this code. */
const handshakeEnded = new Error("the handshake has ended");

/**
 * A connection from its first byte until TLS is established or refused. The certificate is searched
 * in this order, and the first that is found is served:
 *
 * 1. The ClientHello is read. Without a readable server name: alert 112, `unrecognized_name`.
 * 2. The host is found among the known ones, without a query. An unknown name: alert 112.
 * 3. A client that offers only `acme-tls/1` gets the self-signed certificate of an open challenge
 *    of that name (RFC 8737), and none of the steps 4, 6, 7 and 8.
 * 4. A certificate of this claim, or of the wildcard that covers the host, in memory.
 * 5. The handshake is parked: it waits, bounded in number per name and process, and in time.
 *    Without a free slot: alert 80, `internal_error`. Challenges have slots of their own.
 * 6. A stored certificate: of the feed, or of the disk where the feed fails; the host's own, then
 *    that of a wildcard which covers it.
 * 7. Under load nothing is ordered: alert 80.
 * 8. An order, if the name is permitted and resolves to us: it is made due, and the handshake waits
 *    until the certificate is stored, the order fails, or the time is up: alert 80.
 * 9. TLS starts some ticks of the event loop after that of the handshake before. The lookup of the
 *    host is repeated. Released or claimed by another meanwhile: alert 112.
 *
 * Steps 4, 6 and 8 are those of `certificate-source.ts`.
 */
export class Handshake implements Closable {
  readonly #socket: Socket;
  readonly #context: HandshakeContext;
  /** Set while the handshake waits for a certificate. */
  #abort: AbortController | null = null;
  #bytes: Buffer = noBytes;
  #bytesNeeded = 0;
  /** Set while a slot is taken. */
  #freeSlot: (() => void) | null = null;
  /** Known once the name was read. */
  #host: Host | null = null;
  #phase: "hello" | "parked" | "tls" | "ended" = "hello";
  readonly #startedAt = performance.now();
  #deadline: number;
  readonly #onData = (chunk: Buffer) => this.#receive(chunk);
  /** What a close means. */
  #onCloseResult: HandshakeResult = "disconnected";
  readonly #onClose = () => this.#end(this.#onCloseResult);

  constructor(socket: Socket, context: HandshakeContext) {
    this.#socket = socket;
    this.#context = context;
    this.#deadline = this.#startedAt + context.limits.helloMs;
    socket.on("data", this.#onData);
    // Also for a client that disconnects within its ClientHello.
    socket.on("error", () => socket.destroy());
    socket.on("close", this.#onClose);
  }

  check(now: number): void {
    if (now < this.#deadline) return;
    this.#refuse(this.#phase === "hello" ? "hello_timeout" : "handshake_timeout", null);
  }

  /** The request that follows is served; a client that sends nothing is not awaited for long. */
  drain(): void {
    if (this.#phase !== "hello") return;
    const { drainIdleMs } = this.#context.limits;
    this.#deadline = Math.min(this.#deadline, performance.now() + drainIdleMs);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const { limits } = this.#context;
    if (this.#bytes.length > limits.helloBytes) {
      this.#refuse("malformed_hello", unrecognizedNameAlert);
      return;
    }
    if (this.#phase !== "hello" || this.#bytes.length < this.#bytesNeeded) return;
    const reading = readClientHello(this.#bytes);
    if (reading.kind === "malformed") this.#refuse("malformed_hello", unrecognizedNameAlert);
    else if (reading.kind === "incomplete") this.#bytesNeeded = reading.atLeast;
    else this.#chooseCertificate(reading.serverName, reading.protocols);
  }

  #chooseCertificate(serverName: string | null, protocols: readonly string[]): void {
    if (serverName === null) {
      this.#refuse("no_server_name", unrecognizedNameAlert);
      return;
    }
    const host = this.#context.hosts.find(serverName);
    if (host === null) {
      this.#refuse("unknown_name", unrecognizedNameAlert);
      return;
    }
    const isChallenge = protocols.length === 1 && protocols[0] === acmeTlsAlpn;
    if (!isChallenge) this.#host = host;
    const cached = isChallenge ? null : this.#context.certificates.cached(host);
    if (cached === null) this.#park(host, isChallenge);
    else this.#startTls(host, isChallenge, cached);
  }

  #park(host: Host, isChallenge: boolean): void {
    const serverName = host.hostname;
    this.#phase = "parked";
    this.#deadline = performance.now() + this.#context.limits.parkedMs;
    const slots = isChallenge ? this.#context.challenges : this.#context.parked;
    if (!slots.add(serverName)) {
      this.#refuse("parked_limit", internalErrorAlert);
      return;
    }
    this.#freeSlot = () => slots.remove(serverName);
    this.#findCertificate(host, isChallenge).then(
      (certificate) => this.#certificateFound(host, isChallenge, certificate),
      (error: unknown) => {
        // After a disconnect the lookup is aborted on purpose.
        if (this.#phase === "parked") {
          this.#context.log.error({ host: serverName, err: error }, "certificate lookup failed");
        }
        this.#certificateFound(host, isChallenge, null);
      },
    );
  }

  async #findCertificate(host: Host, isChallenge: boolean): Promise<SecureContext | null> {
    const { certificates, mayOrder } = this.#context;
    if (isChallenge) return await certificates.challengeContext(host.hostname);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const answer = mayOrder()
      ? await certificates.contextFor(host, signal)
      : await certificates.existing(host, signal);
    return typeof answer === "string" ? null : answer;
  }

  #certificateFound(host: Host, isChallenge: boolean, certificate: SecureContext | null): void {
    this.#unpark();
    if (this.#phase !== "parked") return;
    if (!this.#requireCurrent(host)) return;
    if (certificate === null) this.#refuse("certificate_unavailable", internalErrorAlert);
    else this.#startTls(host, isChallenge, certificate);
  }

  /** Refuses what waited while the host was released or claimed by another. */
  #requireCurrent(host: Host): boolean {
    if (this.#context.hosts.find(host.hostname)?.epoch === host.epoch) return true;
    this.#refuse("certificate_unavailable", unrecognizedNameAlert);
    return false;
  }

  /** The certificate is fixed before TLS starts, so that no other can be served. */
  #startTls(host: Host, isChallenge: boolean, secureContext: SecureContext): void {
    this.#phase = "tls";
    this.#deadline = performance.now() + this.#context.limits.handshakeMs;
    this.#socket.off("data", this.#onData);
    this.#socket.pause();
    const letClose = keepOpen(secureContext);
    this.#context.starts(() => {
      if (this.#phase === "tls" && this.#requireCurrent(host)) {
        this.#continueAsTls(host, isChallenge, secureContext);
      }
      letClose();
    });
  }

  #continueAsTls(host: Host, isChallenge: boolean, secureContext: SecureContext): void {
    const socket = this.#socket;
    // TLSSocket starts with the bytes that its socket has buffered.
    socket.unshift(this.#bytes);
    this.#bytes = noBytes;
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: isChallenge ? challengeProtocols : webProtocols,
    });
    const staple = this.#context.certificates.staple(secureContext);
    if (staple !== null) setStaple(secure, staple);
    secure.on("error", () => this.#refuse("handshake_failed", null));
    secure.on("_tlsError", () => secure.destroy());
    secure.on("close", () => socket.destroy());
    secure.on("secure", () => this.#secured(secure, host, isChallenge));
  }

  #secured(secure: TLSSocket, host: Host, isChallenge: boolean): void {
    if (this.#phase !== "tls") return;
    // RFC 8737 §3: the handshake is the whole answer.
    if (isChallenge || !isNamed(secure, host)) {
      if (isChallenge) this.#onCloseResult = "challenge";
      secure.destroySoon();
      return;
    }
    this.#context.stats.handshakes += 1;
    this.#context.stats.traffic.secured(host);
    this.#end(secure.isSessionReused() ? "resumed" : "completed");
    this.#context.onSecure(secure, host);
  }

  #refuse(refusal: HandshakeRefusal, message: Buffer | null): void {
    if (this.#phase === "ended") return;
    this.#context.stats.refused[refusal] += 1;
    this.#context.log.debug(
      { peer: this.#socket.remoteAddress, host: this.#host?.hostname, reason: refusal },
      "connection refused",
    );
    if (this.#host !== null) this.#context.stats.traffic.refused(this.#host);
    this.#end(refusal);
    this.#socket.off("data", this.#onData);
    if (message === null) this.#socket.destroy();
    else {
      this.#socket.end(message);
      this.#socket.destroySoon();
    }
  }

  #end(result: HandshakeResult): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    this.#context.stats.handshakeTimes[result].observe(performance.now() - this.#startedAt);
    this.#socket.off("close", this.#onClose);
    this.#unpark();
    this.#abort?.abort(handshakeEnded);
    this.#context.onEnded(this);
  }

  /** Frees the slot as soon as this handshake no longer waits. */
  #unpark(): void {
    this.#freeSlot?.();
    this.#freeSlot = null;
  }
}

/**
 * The name that TLS has read must be the one that was authorised. OpenSSL does not report it when
 * TLS 1.2 resumes a session; a ticket opens only with the keys of the host whose name the handshake
 * had.
 */
function isNamed(secure: TLSSocket, { hostname }: Host): boolean {
  const { servername } = secure;
  if (servername) return normalizeServerName(servername) === hostname;
  return secure.isSessionReused() && secure.getProtocol() === "TLSv1.2";
}

/** Handshakes that wait, counted per name and in total. */
export interface ParkedHandshakes {
  /** False when all slots are taken; otherwise `remove` must follow. */
  add(hostname: string): boolean;
  remove(hostname: string): void;
}

export function createParkedHandshakes(
  limits: Pick<EdgeLimits, "parkedPerName" | "parkedPerProcess">,
  count: Pick<EdgeStats, "parked">,
): ParkedHandshakes {
  const perName = new Map<string, number>();
  return {
    add(hostname) {
      const waiting = perName.get(hostname) ?? 0;
      if (count.parked >= limits.parkedPerProcess || waiting >= limits.parkedPerName) return false;
      perName.set(hostname, waiting + 1);
      count.parked += 1;
      return true;
    },
    remove(hostname) {
      const waiting = (perName.get(hostname) ?? 0) - 1;
      if (waiting > 0) perName.set(hostname, waiting);
      else perName.delete(hostname);
      count.parked -= 1;
    },
  };
}
