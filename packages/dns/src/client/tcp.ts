import { connect } from "node:net";
import { type Attempt, classifyFailure, type TransportFailure } from "./udp.ts";

/** A server that sends more than this without the answer is treated as unreachable. */
const maxReceivedBytes = 4 * 65_537;

/**
 * Sends one query over a new connection and closes it (RFC 7766 §6.2.1 allows reuse; a new
 * connection cannot mix up the answers of two queries). A close without an answer counts as
 * refused.
 */
export function askTcp<T>(attempt: Attempt<T>): Promise<T | TransportFailure> {
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
      // A destroyed socket can still emit an error, which must not be unhandled.
      socket.on("error", () => undefined);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(() => finish(() => resolve("timeout")), timeoutMs);
    const onAbort = () => finish(() => reject(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("error", (error) => finish(() => resolve(classifyFailure(error))));
    socket.on("close", () => finish(() => resolve("refused")));
    socket.on("connect", () => socket.write(frame(query)));
    socket.on("data", (chunk) => {
      if (socket.bytesRead > maxReceivedBytes) {
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
