import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { type Front, hostname } from "../fronts.ts";
import {
  flags,
  frame,
  preface,
  type Received,
  settings,
  statusIn,
  takeFrame,
  types,
} from "./frames.ts";

/**
 * What a server makes of frames:
 * - `connection error`: GOAWAY with an error, or the connection is closed
 * - `stream error`: RST_STREAM, other than NO_ERROR
 * - a status
 * - `continues`: none of these, and a PING is answered
 */
export type Outcome = string;

const pingPayload = "mooring!";
const timeoutMs = 30_000;
/** A server may answer the PING before the request. */
const graceMs = 3_000;

export interface Script {
  readonly frames: readonly Buffer[];
  /** Sent once the response to the frames is complete; only what follows is the outcome. */
  readonly after?: readonly Buffer[];
  /** Without the preface and SETTINGS. */
  readonly isBare?: boolean;
}

/** Sends the preface, SETTINGS, the frames of the script and a PING; then reads. */
export function converse(front: Front, script: Script): Promise<Outcome> {
  const ping = frame(types.ping, 0, 0, pingPayload);
  const opening = script.isBare ? [] : [preface, settings()];
  const closing = script.after === undefined ? [ping] : [];
  let next = script.after ?? null;
  return new Promise((resolve) => {
    const socket = connect({
      host: "127.0.0.1",
      port: front.port,
      servername: hostname,
      ca: readFileSync(front.caFile),
      ALPNProtocols: ["h2"],
    });
    const reading = createReading();
    let grace: NodeJS.Timeout | null = null;
    const finish = (outcome: Outcome): void => {
      clearTimeout(limit);
      if (grace !== null) clearTimeout(grace);
      socket.destroy();
      resolve(outcome);
    };
    const limit = setTimeout(() => finish(reading.outcome() ?? "no answer"), timeoutMs);
    socket.on("error", () => undefined);
    socket.once("secureConnect", () =>
      socket.write(Buffer.concat([...opening, ...script.frames, ...closing])),
    );
    socket.on("data", (chunk: Buffer) => {
      reading.read(chunk);
      if (next !== null && !reading.isEnded()) return;
      if (next !== null) {
        socket.write(Buffer.concat([...next, ping]));
        next = null;
        reading.begin();
      }
      const outcome = reading.outcome();
      if (outcome !== null) finish(outcome);
      else if (reading.isPinged() && grace === null) {
        grace = setTimeout(() => finish(reading.outcome() ?? "continues"), graceMs);
      }
    });
    socket.once("close", () => finish(reading.outcome() ?? "connection error"));
  });
}

function createReading() {
  let bytes = Buffer.alloc(0);
  let outcome: Outcome | null = null;
  let [isPinged, isEnded] = [false, false];
  const take = (one: Received): void => {
    isEnded ||= endsStream(one);
    isPinged ||= isOurPing(one);
    outcome ??= parseOutcome(one);
  };
  return {
    read(chunk: Buffer): void {
      bytes = Buffer.concat([bytes, chunk]);
      for (let next = takeFrame(bytes); next !== null; next = takeFrame(bytes)) {
        bytes = bytes.subarray(next.length);
        take(next.frame);
      }
    },
    outcome: () => outcome,
    isPinged: () => isPinged,
    isEnded: () => isEnded,
    begin: () => {
      outcome = null;
    },
  };
}

function endsStream({ type, stream, flags: flag }: Received): boolean {
  const mayEnd = type === types.headers || type === types.data;
  return mayEnd && stream === 1 && (flag & flags.endStream) !== 0;
}

function isOurPing({ type, flags: flag, payload }: Received): boolean {
  const isAck = type === types.ping && (flag & flags.ack) !== 0;
  return isAck && payload.toString("latin1") === pingPayload;
}

function parseOutcome({ type, payload }: Received): Outcome | null {
  if (type === types.headers) return statusIn(payload);
  if (type === types.goaway && payload.readUInt32BE(4) !== 0) return "connection error";
  return type === types.reset && payload.readUInt32BE(0) !== 0 ? "stream error" : null;
}
