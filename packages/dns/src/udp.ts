import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** How a try without an answer ended. `refused`: the other side said so, at the transport level. */
export type TransportFailure = "timeout" | "refused" | "unreachable";

export interface Try<T> {
  readonly to: Endpoint;
  readonly query: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Judges one packet; undefined means it is not the answer, and waiting goes on. */
  readonly accept: (packet: Buffer) => T | undefined;
}

/**
 * One query over a socket of its own: the kernel gives it a fresh random source port, and because it
 * is connected, packets from any other address or port never arrive. Rejects when aborted.
 */
export function tryUdp<T>(attempt: Try<T>): Promise<T | TransportFailure> {
  const { to, query, timeoutMs, signal, accept } = attempt;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const socket = createSocket(isIPv6(to.address) ? "udp6" : "udp4");
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners();
      // A late error of a closing socket concerns nobody any more.
      socket.on("error", () => undefined);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => finish(() => resolve("timeout")), timeoutMs);
    const onAbort = () => finish(() => reject(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("error", (error) => finish(() => resolve(failureOf(error))));
    socket.on("message", (packet) => {
      const accepted = accept(packet);
      if (accepted !== undefined) finish(() => resolve(accepted));
    });
    socket.on("connect", () => socket.send(query));
    socket.connect(to.port, to.address);
  });
}

export function failureOf(error: Error): TransportFailure {
  const code = "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE"
    ? "refused"
    : "unreachable";
}
