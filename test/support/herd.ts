import { connect as connectTcp } from "node:net";
import { connect } from "node:tls";

/** What became of one visitor: the status of its page, or why it got none. */
export type Outcome = number | "refused" | "stuck";

const patienceMs = 30_000;

/**
 * Visitors who all come at once, each from an address of its own (the whole of 127/8 is this
 * machine), so that limits per address do not stand between them and what is looked at.
 */
export function sendHerd(
  ports: readonly number[],
  hostname: string,
  herd: { readonly count: number; readonly ca: string },
): Promise<Outcome>[] {
  return Array.from({ length: herd.count }, (_, index) =>
    visitFrom(loopbackAddress(index), ports[index % ports.length] ?? 0, hostname, herd.ca),
  );
}

/** A loopback address for each number, none of them 127.0.0.x. */
export function loopbackAddress(index: number): string {
  const host = 65_536 + index;
  return `127.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255 || 255}`;
}

/** One visitor of the herd. */
export function visitFrom(
  localAddress: string,
  port: number,
  servername: string,
  ca: string,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const plain = connectTcp({ host: "127.0.0.1", port, localAddress });
    plain.on("error", () => finish("refused"));
    const socket = connect({ socket: plain, servername, ca });
    let heard = "";
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish("stuck"), patienceMs);
    socket.on("secureConnect", () => {
      socket.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
    });
    socket.on("data", (part: Buffer) => {
      heard += part.toString("latin1");
    });
    // An alert, or a connection that is closed before it is secure.
    socket.on("error", () => finish("refused"));
    socket.on("close", () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1];
      finish(status === undefined ? "refused" : Number(status));
    });
  });
}
