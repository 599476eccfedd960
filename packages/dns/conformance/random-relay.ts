import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Dial } from "../src/providers/adapter/contract.ts";
import type { Fault } from "./random-faults.ts";

/** The way to a server that speaks TCP, with faults on it. */
export interface Relay {
  /** Counts its own connections from 0; one at a time is open. */
  dial(faults: readonly Fault[]): Dial;
  stop(): Promise<void>;
}

/** Passes on what it is sent by whoever dials through it, to where that one wanted to go. */
export async function startRelay(): Promise<Relay> {
  let next: { readonly host: string; readonly port: number; readonly kind?: Fault["kind"] };
  const server = createServer((visitor) => {
    visitor.on("error", () => visitor.destroy());
    // Nothing says "later" in this protocol, so that a throttled request is one that never arrives.
    if (next.kind === "before" || next.kind === "throttle") visitor.destroy();
    else pass(visitor, connect(next.port, next.host), next.kind);
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
function pass(visitor: Socket, server: Socket, kind: Fault["kind"] | undefined): void {
  server.on("error", () => visitor.destroy());
  server.on("close", () => visitor.destroy());
  visitor.on("close", () => server.destroy());
  visitor.pipe(server);
  if (kind === undefined) server.pipe(visitor);
  else {
    server.once("data", (answer: Buffer) => {
      if (kind === "cut") visitor.write(answer.subarray(0, Math.floor(answer.length / 2)));
      visitor.end();
    });
  }
}
