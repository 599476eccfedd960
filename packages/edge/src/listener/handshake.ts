import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import type { CertificateSource } from "../certificate-source.ts";
import { normalizeServerName, readClientHello } from "../client-hello.ts";
import type { Host, HostTable } from "../host.ts";
import type { EdgeLimits } from "../limits.ts";
import type { Log } from "../log.ts";
import type { ConnectionRefusal, EdgeStats } from "../metrics.ts";
import type { Watched } from "../proxy/visitor.ts";
import type { Load } from "./load.ts";
import type { Parking } from "./parking.ts";

export interface HandshakeContext {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
  readonly limits: EdgeLimits;
  readonly stats: EdgeStats;
  readonly log: Log;
  readonly parking: Parking;
  readonly load: () => Load;
  /** The connection is secure and belongs to whoever serves requests from here on. */
  readonly onSecure: (socket: TLSSocket, host: Host) => void;
  /** The connection ended here, or has been handed over. */
  readonly onOver: (handshake: Handshake) => void;
}

const ACME_TLS_ALPN = "acme-tls/1";

/** RFC 8446 §6: a fatal alert in a record of its own, before any keys. */
const UNRECOGNIZED_NAME = alert(112);
const INTERNAL_ERROR = alert(80);

function alert(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}

/**
 * Every connection starts from this context, which has no certificate: without a host's own one a
 * handshake cannot end well. Versions, ciphers and the ban on tickets come from here, because
 * switching the context for a name changes nothing but the certificate. A resumed session would
 * skip the choice of name, so none can be resumed: no tickets, and no store for session ids.
 */
const baseContext = createSecureContext({
  minVersion: "TLSv1.2",
  secureOptions:
    constants.SSL_OP_NO_TICKET |
    constants.SSL_OP_NO_RENEGOTIATION |
    constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
});

/** From the first byte of a connection until it is secure or refused. */
export class Handshake implements Watched {
  readonly #socket: Socket;
  readonly #context: HandshakeContext;
  readonly #abort = new AbortController();
  #bytes: Buffer = Buffer.alloc(0);
  #wanted = 0;
  #parkedAs: string | null = null;
  #phase: "hello" | "parked" | "tls" | "over" = "hello";
  #deadline: number;
  readonly #onData = (chunk: Buffer) => this.#receive(chunk);
  readonly #onClose = () => this.#over();

  constructor(socket: Socket, context: HandshakeContext) {
    this.#socket = socket;
    this.#context = context;
    this.#deadline = performance.now() + context.limits.helloMs;
    socket.on("data", this.#onData);
    // Half a hello followed by an end is a visitor who left.
    socket.on("error", () => socket.destroy());
    socket.on("close", this.#onClose);
  }

  check(now: number): void {
    if (now < this.#deadline) return;
    this.#refuse(this.#phase === "hello" ? "hello_timeout" : "handshake_timeout", null);
  }

  /** A handshake under way is new work: it does not hold up a stop. */
  drain(): void {
    this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const { limits } = this.#context;
    if (this.#bytes.length > limits.helloBytes) {
      this.#refuse("malformed_hello", UNRECOGNIZED_NAME);
      return;
    }
    if (this.#phase !== "hello" || this.#bytes.length < this.#wanted) return;
    const reading = readClientHello(this.#bytes);
    if (reading.kind === "malformed") this.#refuse("malformed_hello", UNRECOGNIZED_NAME);
    else if (reading.kind === "incomplete") this.#wanted = reading.atLeast;
    else this.#greet(reading.serverName, reading.protocols);
  }

  #greet(serverName: string | null, protocols: readonly string[]): void {
    if (serverName === null) {
      this.#refuse("no_server_name", UNRECOGNIZED_NAME);
      return;
    }
    const host = this.#context.hosts.get(serverName);
    if (host === null) {
      this.#refuse("unknown_name", UNRECOGNIZED_NAME);
      return;
    }
    this.#phase = "parked";
    this.#deadline = performance.now() + this.#context.limits.parkedMs;
    const isChallenge = protocols.length === 1 && protocols[0] === ACME_TLS_ALPN;
    if (!this.#context.parking.enter(serverName)) {
      this.#refuse("parked_limit", INTERNAL_ERROR);
      return;
    }
    this.#parkedAs = serverName;
    this.#certify(host, isChallenge).then(
      (certificate) => this.#certified(host, isChallenge, certificate),
      (error: unknown) => {
        // After a visitor has left, an aborted look-up is what was asked for.
        if (this.#phase === "parked") {
          this.#context.log.error({ host: serverName, err: error }, "certificate look-up failed");
        }
        this.#certified(host, isChallenge, null);
      },
    );
  }

  async #certify(host: Host, isChallenge: boolean): Promise<SecureContext | null> {
    const { certificates, load } = this.#context;
    if (isChallenge) return await certificates.challengeContext(host.hostname);
    const asked = certificates.contextFor(host, this.#abort.signal);
    // A certificate at hand costs no wait; anything else is new work.
    const isBusy = load() !== "easy";
    const answer = isBusy ? await Promise.race([asked, soon()]) : await asked;
    return typeof answer === "string" ? null : answer;
  }

  #certified(host: Host, isChallenge: boolean, certificate: SecureContext | null): void {
    this.#unpark();
    if (this.#phase !== "parked") return;
    const isCurrent = this.#context.hosts.get(host.hostname)?.epoch === host.epoch;
    if (certificate === null || !isCurrent) {
      this.#refuse("certificate_unavailable", isCurrent ? INTERNAL_ERROR : UNRECOGNIZED_NAME);
      return;
    }
    this.#phase = "tls";
    this.#deadline = performance.now() + this.#context.limits.handshakeMs;
    this.#secure(host, isChallenge, certificate);
  }

  #secure(host: Host, isChallenge: boolean, certificate: SecureContext): void {
    const socket = this.#socket;
    socket.off("data", this.#onData);
    socket.pause();
    // The TLS layer starts with what its socket has buffered, so the bytes read so far go back.
    socket.unshift(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: baseContext,
      ALPNProtocols: isChallenge ? [ACME_TLS_ALPN] : ["h2", "http/1.1"],
      SNICallback: (name, callback) => {
        // The name that TLS itself has read must be the one that was authorised.
        if (normalizeServerName(name) === host.hostname) callback(null, certificate);
        else callback(new Error("the server name changed"));
      },
    });
    secure.on("error", () => this.#refuse("handshake_failed", null));
    secure.on("_tlsError", () => secure.destroy());
    secure.on("close", () => socket.destroy());
    secure.on("secure", () => this.#secured(secure, host, isChallenge));
  }

  #secured(secure: TLSSocket, host: Host, isChallenge: boolean): void {
    if (this.#phase !== "tls") return;
    // RFC 8737 §3: the handshake is the whole answer.
    if (isChallenge || secure.servername === false || secure.isSessionReused()) {
      secure.destroySoon();
      return;
    }
    this.#context.stats.handshakes += 1;
    this.#over();
    this.#context.onSecure(secure, host);
  }

  #refuse(refusal: ConnectionRefusal, message: Buffer | null): void {
    if (this.#phase === "over") return;
    this.#context.stats.refused[refusal] += 1;
    this.#over();
    this.#socket.off("data", this.#onData);
    if (message === null) this.#socket.destroy();
    else {
      this.#socket.end(message);
      this.#socket.destroySoon();
    }
  }

  #over(): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#socket.off("close", this.#onClose);
    this.#unpark();
    this.#abort.abort();
    this.#context.onOver(this);
  }

  /** The place is free as soon as nobody waits, whether or not the certificate still comes. */
  #unpark(): void {
    if (this.#parkedAs !== null) this.#context.parking.leave(this.#parkedAs);
    this.#parkedAs = null;
  }
}

/** Two turns of the event loop: enough for an answer from memory, for nothing else. */
function soon(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(null))));
}
