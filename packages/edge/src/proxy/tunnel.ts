import type { Socket } from "node:net";

/** Bytes both ways, each side at the other's pace, until one side ends or breaks. */
export function joinSockets(visitor: Socket, origin: Socket): void {
  visitor.on("error", () => origin.destroy());
  origin.on("error", () => visitor.destroy());
  visitor.on("close", () => origin.destroy());
  origin.on("close", () => visitor.destroySoon());
  visitor.pipe(origin);
  origin.pipe(visitor);
}
