import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Hands UDP and TCP from one loopback place to another. named listens only on addresses that an
 * interface carries, which of 127.0.0.0/8 is 127.0.0.1 alone; with this it can stand on any.
 */
export async function startDnsRelay(from: Place, to: Place): Promise<{ stop(): Promise<void> }> {
  const onward = new Set<UdpSocket>();
  const udp = createSocket("udp4");
  udp.on("message", (packet, asker) => {
    const socket = createSocket("udp4");
    onward.add(socket);
    const end = () => {
      if (onward.delete(socket)) socket.close();
    };
    socket.on("error", end);
    socket.on("message", (answer) => {
      udp.send(answer, asker.port, asker.address, () => undefined);
      end();
    });
    socket.send(packet, to.port, to.address);
  });
  const connections = new Set<Socket>();
  const tcp = createServer((near) => {
    const far = connect({ host: to.address, port: to.port });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      connections.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        connections.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  udp.bind(from.port, from.address);
  tcp.listen(from.port, from.address);
  await Promise.all([once(udp, "listening"), once(tcp, "listening")]);
  return {
    stop: async () => {
      for (const socket of connections) socket.destroy();
      for (const socket of onward) socket.close();
      onward.clear();
      udp.close();
      tcp.close();
      await Promise.all([once(udp, "close"), once(tcp, "close")]);
    },
  };
}
