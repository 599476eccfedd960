import type { Socket } from "node:net";
import type { EdgeLimits } from "../limits.ts";
import type { ConnectionRefusal, EdgeStats } from "../metrics.ts";
import type { AddressGate } from "./address-gate.ts";
import type { Load } from "./load.ts";

/** Whether a new connection may stay; one that may not is destroyed before a byte is read. */
export function createAdmission(options: {
  readonly limits: Pick<EdgeLimits, "connections">;
  readonly stats: EdgeStats;
  readonly gate: AddressGate;
  readonly load: () => Load;
}): (socket: Socket) => boolean {
  const { limits, stats, gate, load } = options;

  function refusalOf(address: string): ConnectionRefusal | null {
    if (load() === "flooded") return "overloaded";
    if (stats.connections >= limits.connections) return "process_limit";
    return gate.admit(address, performance.now()) ? null : "address_limit";
  }

  return (socket) => {
    // Unknown when the peer has already left.
    const address = socket.remoteAddress;
    const refusal = address === undefined ? null : refusalOf(address);
    if (refusal !== null) stats.refused[refusal] += 1;
    if (refusal !== null || address === undefined) {
      socket.destroy();
      return false;
    }
    stats.connections += 1;
    socket.once("close", () => {
      stats.connections -= 1;
      gate.release(address);
    });
    return true;
  };
}
