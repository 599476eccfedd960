import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Dial } from "../../src/providers/adapter/contract.ts";
import type { Fault } from "./faults.ts";

/** The way to a server that speaks TCP, with faults on it. */
export interface Relay {
  /** Counts its own connections from 0; one at a time is open. */
  dial(faults: readonly Fault[]): Dial;
  stop(): Promise<void>;
}

/** Forwards bytes between the caller and the host and port it dialled. */
export async function startRelay(): Promise<Relay> {
  let next: { readonly host: string; readonly port: number; readonly kind?: Fault["kind"] };
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    // Nothing says "later" in this protocol, so that a throttled request is one that never arrives.
    if (next.kind === "before" || next.kind === "throttle") client.destroy();
    else pass(client, connect(next.port, next.host), next.kind);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  return {
    dial(faults) {
      let dialled = -1;
      return async (host, port, signal) => {
        dialled += 1;
        const fault = faults.find(({ at }) => at === dialled);
        next = { host, port, ...(fault === undefined ? {} : { kind: fault.kind }) };
        const socket = connect({ host: "127.0.0.1", port: address.port, signal });
        await once(socket, "connect");
        return socket;
      };
    },
    stop: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

/** The request always arrives; its answer whole, half or not at all. */
function pass(client: Socket, server: Socket, kind: Fault["kind"] | undefined): void {
  server.on("error", () => client.destroy());
  server.on("close", () => client.destroy());
  client.on("close", () => server.destroy());
  client.pipe(server);
  if (kind === undefined) server.pipe(client);
  else {
    server.once("data", (answer: Buffer) => {
      if (kind === "cut") client.write(answer.subarray(0, Math.floor(answer.length / 2)));
      client.end();
    });
  }
}
