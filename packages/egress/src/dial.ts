import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { isIP, connect as netConnect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import {
  type ConnectionOptions,
  checkServerIdentity,
  type TLSSocket,
  connect as tlsConnect,
} from "node:tls";
import { unlessAborted } from "@mooring/concurrency";
import { isSameAddress, parseAddress } from "./address.ts";
import { asEgressError, EgressError } from "./egress-error.ts";
import type { CheckedAddress, CheckedResolver } from "./policy.ts";

/**
 * The TLS settings a caller may choose; the certificate is always verified, or is the pinned one.
 */
export interface TlsOptions
  extends Pick<
    ConnectionOptions,
    "ca" | "cert" | "key" | "secureContext" | "servername" | "ALPNProtocols" | "minVersion"
  > {
  /** The name that the certificate must have; by default the server name, or the host. */
  readonly verifyName?: string;
  /**
   * The SHA-256 of the server's certificate, 64 hexadecimal digits. Then exactly this certificate
   * is accepted, whatever its signature, names and dates are, and no other.
   */
  readonly certificateSha256?: string;
}

export interface DialOptions {
  readonly host: string;
  readonly port: number;
  /** Plain TCP when absent. */
  readonly tls?: TlsOptions;
  /** Whose connection it is: names of one owner that are not answered delay no other's. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** Name lookup, TCP and TLS together. */
  readonly connectTimeoutMs?: number;
  /** Called once the addresses are known and checked, before any is dialled. */
  readonly onResolved?: (addresses: readonly CheckedAddress[]) => void;
}

export interface Dialled {
  readonly socket: Socket;
  readonly remoteAddress: string;
  readonly timings: {
    readonly dnsMs: number;
    readonly tcpMs: number;
    readonly tlsMs: number | null;
  };
}

/** Starts a TCP connection to one of the given addresses; replaced where none may be opened. */
export type Connect = (target: {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly CheckedAddress[];
}) => Socket;

export type Dial = (options: DialOptions) => Promise<Dialled>;

export const defaultConnectTimeoutMs = 5_000;

/**
 * Long enough for a TCP handshake across the world: a slow first address is not dropped too soon.
 */
const nextAddressAfterMs = 500;

/**
 * Every call resolves (by the cache), checks and connects again. Nothing is written, not even a
 * ClientHello, until the peer of the open socket is one of the addresses that passed the check.
 */
export function createDial(resolve: CheckedResolver, connect: Connect = systemConnect): Dial {
  return async (options) => {
    const { host, port, connectTimeoutMs = defaultConnectTimeoutMs } = options;
    const limit = startLimit(connectTimeoutMs, "connecting", options.signal);
    try {
      const startedAt = performance.now();
      const addresses = await unlessAborted(limit.signal, resolve(host, options.owner));
      const resolvedAt = performance.now();
      options.onResolved?.(addresses);
      const socket = await ready(connect({ host, port, addresses }), "connect", limit.signal);
      const remoteAddress = verifyPeer(socket, addresses);
      const connectedAt = performance.now();
      const secured =
        options.tls === undefined ? null : await secure(socket, host, options.tls, limit.signal);
      return {
        socket: secured ?? socket,
        remoteAddress,
        timings: {
          dnsMs: resolvedAt - startedAt,
          tcpMs: connectedAt - resolvedAt,
          tlsMs: secured === null ? null : performance.now() - connectedAt,
        },
      };
    } finally {
      limit.release();
    }
  };
}

/** Node's own address selection (RFC 8305), over the checked addresses only. */
const systemConnect: Connect = ({ host, port, addresses }) =>
  netConnect({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    lookup: (_hostname, _options, callback) => callback(null, [...addresses]),
  });

function verifyPeer(socket: Socket, addresses: readonly CheckedAddress[]): string {
  const remote = socket.remoteAddress ?? "";
  const peer = parseAddress(remote);
  const isChecked = addresses.some(({ address }) => {
    const checked = parseAddress(address);
    return peer !== null && checked !== null && isSameAddress(peer, checked);
  });
  if (isChecked) return remote;
  socket.destroy();
  throw new EgressError("refused_address", "the connection leads to an address not checked for it");
}

async function secure(
  socket: Socket,
  host: string,
  { verifyName, certificateSha256, ...options }: TlsOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  // RFC 6066 §3 forbids addresses as server names; `host` still names what the certificate must
  // fit.
  const servername = options.servername ?? (isIP(host) === 0 ? host : "");
  const tlsSocket = tlsConnect({
    ALPNProtocols: ["http/1.1"],
    ...options,
    socket,
    host,
    servername,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: certificateSha256 === undefined,
    ...(verifyName === undefined
      ? {}
      : { checkServerIdentity: (_name, peer) => checkServerIdentity(verifyName, peer) }),
  });
  try {
    await ready(tlsSocket, "secureConnect", signal);
    if (certificateSha256 !== undefined) verifyPin(tlsSocket, certificateSha256);
    return tlsSocket;
  } catch (error) {
    tlsSocket.destroy();
    socket.destroy();
    throw error;
  }
}

/** Compares what was sent in this handshake: no session is resumed here. */
function verifyPin(socket: TLSSocket, expected: string): void {
  const certificate = socket.getPeerX509Certificate();
  const found = createHash("sha256")
    .update(certificate?.raw ?? "")
    .digest();
  const pin = Buffer.from(expected, "hex");
  if (certificate === undefined || pin.length !== found.length || !timingSafeEqual(pin, found)) {
    throw new EgressError("tls", "the certificate is not the one with this fingerprint");
  }
}

async function ready<T extends Socket>(
  socket: T,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<T> {
  // An error before the caller adds its own listener must not end the process; the caller finds the
  // socket destroyed and reports it.
  socket.on("error", () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    throw event === "connect"
      ? asEgressError(error, "connect", "the connection failed")
      : asEgressError(error, "tls", "the TLS handshake failed");
  }
}

/**
 * A signal whose reason is always an EgressError; `release` must be called when the work has ended.
 */
interface Limit {
  readonly signal: AbortSignal;
  release(): void;
}

/** Aborts after `ms` as a timeout, or with `outer`. */
export function startLimit(ms: number, what: string, outer?: AbortSignal): Limit {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new EgressError("timeout", `${what} took longer than ${ms} ms`));
  }, ms);
  const onOuter = () => controller.abort(abortError(outer));
  if (outer?.aborted) onOuter();
  else outer?.addEventListener("abort", onOuter, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", onOuter);
    },
  };
}

function abortError(outer: AbortSignal | undefined): EgressError {
  const reason: unknown = outer?.reason;
  if (reason instanceof EgressError) return reason;
  return new EgressError("aborted", "the caller gave up", { cause: reason });
}
