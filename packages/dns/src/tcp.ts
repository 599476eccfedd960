import { connect } from "node:net";
import { failureOf, type TransportFailure, type Try } from "./udp.ts";

/** A server that sends more than this without the answer among it is not worth waiting for. */
const MAX_RECEIVED_BYTES = 4 * 65_537;

/**
 * One query over a connection of its own, closed afterwards (RFC 7766 §6.2.1 allows reuse; a fresh
 * one keeps answers of different questions apart). A close without an answer counts as refused.
 */
export function tryTcp<T>(attempt: Try<T>): Promise<T | TransportFailure> {
  const { to, query, timeoutMs, signal, accept } = attempt;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const frames = createFrameReader();
    const socket = connect({ host: to.address, port: to.port, noDelay: true });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners();
      // A late error of a destroyed socket concerns nobody any more.
      socket.on("error", () => undefined);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(() => finish(() => resolve("timeout")), timeoutMs);
    const onAbort = () => finish(() => reject(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("error", (error) => finish(() => resolve(failureOf(error))));
    socket.on("close", () => finish(() => resolve("refused")));
    socket.on("connect", () => socket.write(frame(query)));
    socket.on("data", (chunk) => {
      if (socket.bytesRead > MAX_RECEIVED_BYTES) {
        finish(() => resolve("unreachable"));
        return;
      }
      for (const message of frames.push(chunk)) {
        const accepted = accept(message);
        if (accepted === undefined) continue;
        finish(() => resolve(accepted));
        return;
      }
    });
  });
}

/** RFC 1035 §4.2.2: a message is preceded by its length in two octets. */
function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function createFrameReader(): { push(chunk: Buffer): readonly Buffer[] } {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const messages: Buffer[] = [];
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const end = 2 + rest.readUInt16BE(0);
        messages.push(rest.subarray(2, end));
        rest = rest.subarray(end);
      }
      return messages;
    },
  };
}
