import net, { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { getSystemErrorName } from "node:util";

/**
 * The public port for TLS. The edge has it open and accepts nothing there; every HAProxy gets it as
 * descriptors. So a connection that arrives while none runs waits in its queue.
 */
export interface PublicPort {
  /** One for each address. */
  readonly descriptors: readonly number[];
  /** Descriptors that were inherited stay open: they belong to the service manager. */
  close(): void;
}

/** A bound socket on which this process does not listen: HAProxy does, on the same one. */
interface BoundSocket {
  readonly fd: number;
  getsockname(into: object): number;
  close(): void;
}

/** As Node binds the sockets that it shares with its own cluster; its types do not have it. */
const { _createServerHandle: bindSocket } = net as unknown as {
  readonly _createServerHandle: (
    address: string,
    port: number,
    family: 4 | 6,
    fd: undefined,
    flags: number,
  ) => BoundSocket | number;
};

/** `UV_TCP_IPV6ONLY` */
const onlyIpv6 = 1;
const predecessorMs = 2_000;
const retryMs = 50;

/** Retries for a moment: an edge that is going to stop closes its port before it drains. */
export async function openPublicPort(host: string, port: number): Promise<PublicPort> {
  const deadline = performance.now() + predecessorMs;
  for (;;) {
    try {
      return bindAll(host, port);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || performance.now() > deadline) throw error;
      await delay(retryMs);
    }
  }
}

export function inheritedPort(descriptor: number): PublicPort {
  return { descriptors: [descriptor], close: () => undefined };
}

/** HAProxy writes an IPv4 address as such only if it has a socket for IPv4 alone. */
function addressesOf(host: string): readonly string[] {
  return host === "::" ? ["0.0.0.0", "::"] : [host];
}

function bindAll(host: string, port: number): PublicPort {
  const sockets: BoundSocket[] = [];
  const close = (): void => {
    for (const socket of sockets) socket.close();
  };
  try {
    for (const address of addressesOf(host)) sockets.push(bind(address, port));
  } catch (error) {
    close();
    throw error;
  }
  return { descriptors: sockets.map(({ fd }) => fd), close };
}

function bind(address: string, port: number): BoundSocket {
  const family = isIPv6(address) ? 6 : 4;
  const socket = bindSocket(address, port, family, undefined, family === 6 ? onlyIpv6 : 0);
  if (typeof socket === "number") throw refusal(socket, address, port);
  // libuv reports an address that is in use no earlier than here.
  const status = socket.getsockname({});
  if (status === 0) return socket;
  socket.close();
  throw refusal(status, address, port);
}

function refusal(status: number, address: string, port: number): Error {
  const code = getSystemErrorName(status);
  return Object.assign(new Error(`bind ${code} ${address}:${port}`), { code });
}
