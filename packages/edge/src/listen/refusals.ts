import type { Socket } from "node:net";

/** Longer than a round trip to any client. */
const defaultLingerMs = 2_000;
/** More refused connections than this at once are closed without an answer. */
const maxLingering = 256;
/** A ClientHello or the head of a request; a client that sends more is cut. */
const maxBytes = 16_384;

/** Closes a connection that is not served, after `answer`. */
export type RefuseWith = (socket: Socket, answer: Buffer) => void;

/**
 * Closing a socket with unread bytes resets it: a client that has already sent its first bytes
 * would see a broken connection, and perhaps not the answer. So they are read and dropped until the
 * client closes, for a bounded time and in a bounded number of connections.
 */
export function createRefusals(lingerMs = defaultLingerMs): RefuseWith {
  let lingering = 0;
  return (socket, answer) => {
    // The client may have reset the connection.
    socket.on("error", () => socket.destroy());
    if (lingering >= maxLingering) {
      socket.destroy();
      return;
    }
    lingering += 1;
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => {
      clearTimeout(cut);
      lingering -= 1;
    });
    socket.on("data", () => {
      if (socket.bytesRead > maxBytes) socket.destroy();
    });
    socket.end(answer);
  };
}
