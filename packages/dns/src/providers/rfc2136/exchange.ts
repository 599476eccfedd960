import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { MalformedMessage } from "../../wire/reader.ts";
import type { Dial } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import { createVerifier, readTsig, signMessage, type TsigKey, tsigErrors } from "./tsig.ts";

export interface Server {
  readonly host: string;
  readonly port: number;
}

export interface ExchangeOptions {
  readonly dial: Dial;
  readonly server: Server;
  readonly key: TsigKey;
  readonly now: () => Date;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timeoutMs: number;
}

export interface Exchange {
  /**
   * Sends one signed message and returns the verified answers, until `isComplete` accepts them.
   * Retries without an answer, so the message must be idempotent.
   */
  send(
    encode: (id: number) => Buffer,
    isComplete: (answers: readonly Buffer[]) => boolean,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]>;
}

const retryPausesMs: readonly number[] = [400, 1_600];
/** Limit of a transfer; the largest supported zones have some thousand records. */
const maxTransferBytes = 32 * 1024 * 1024;

export function createExchange(options: ExchangeOptions): Exchange {
  return {
    async send(encode, isComplete, signal) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await sendOnce(options, encode(randomInt(0x10000)), isComplete, signal);
        } catch (error) {
          signal.throwIfAborted();
          const pauseMs = retryPausesMs[attempt];
          const isTransient = error instanceof ProviderError && error.kind === "unavailable";
          if (!isTransient || pauseMs === undefined) throw error;
          await options.wait(pauseMs, signal);
        }
      }
    },
  };
}

async function sendOnce(
  options: ExchangeOptions,
  message: Buffer,
  isComplete: (answers: readonly Buffer[]) => boolean,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const { dial, server, key, now, timeoutMs } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let socket: Socket | null = null;
  try {
    socket = await dial(server.host, server.port, limit);
    const request = signMessage(message, key, now());
    socket.write(framed(request.message));
    const verifier = createVerifier(key, request.mac, now);
    const answers: Buffer[] = [];
    for await (const answer of messagesOf(socket, limit)) {
      check(answer, message, verifier);
      answers.push(answer);
      if (isFailure(answer) || (isComplete(answers) && verifier.isSettled())) return answers;
    }
    throw new ProviderError(
      "unavailable",
      "The server closed the connection before its answer was complete.",
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(
      "unavailable",
      "The server could not be reached, or did not answer in time.",
      { cause: error },
    );
  } finally {
    socket?.destroy();
  }
}

/** RFC 1035 §4.2.2: over TCP a message follows its length. */
function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

async function* messagesOf(socket: Socket, limit: AbortSignal): AsyncGenerator<Buffer> {
  let [pending, total] = [Buffer.alloc(0), 0];
  const abort = () => socket.destroy(new Error("no answer in time"));
  limit.addEventListener("abort", abort, { once: true });
  try {
    limit.throwIfAborted();
    for await (const chunk of socket) {
      const bytes: Buffer = Buffer.from(chunk);
      total += bytes.length;
      if (total > maxTransferBytes)
        throw new ProviderError("unavailable", "The zone is too large to be read.");
      pending = Buffer.concat([pending, bytes]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        yield pending.subarray(2, end);
        pending = pending.subarray(end);
      }
    }
  } finally {
    limit.removeEventListener("abort", abort);
  }
}

function isFailure(answer: Buffer): boolean {
  return (answer.readUInt16BE(2) & 0xf) !== 0;
}

/** Only a failure may be unsigned, since the server may not know the key. */
function check(answer: Buffer, request: Buffer, verifier: ReturnType<typeof createVerifier>): void {
  if (answer.length < 12 || answer.readUInt16BE(0) !== request.readUInt16BE(0)) {
    throw new ProviderError("unavailable", "The server's answer belongs to another question.");
  }
  const tsig = readTsigOrNull(answer);
  const complaint = tsigErrors[tsig?.error ?? 0];
  if (complaint !== undefined) {
    throw new ProviderError("auth", `The server refused the TSIG key: ${complaint}.`);
  }
  if (isFailure(answer) && tsig === null) return;
  if (!verifier.accept(answer, tsig)) {
    throw new ProviderError("unavailable", "The server's answer is not signed with the key.");
  }
}

function readTsigOrNull(answer: Buffer) {
  try {
    return readTsig(answer);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    throw new ProviderError("unavailable", "The server's answer is malformed.", { cause: error });
  }
}
