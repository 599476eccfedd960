import { hostname } from "../fronts.ts";
import type { Script } from "./conversation.ts";
import { block, type Field, flags, frame, types } from "./frames.ts";

/** A case of RFC 9113 or RFC 7541, as h2spec has it, and the outcomes that the RFC allows. */
export interface H2Case extends Script {
  readonly section: string;
  readonly name: string;
  readonly allowed: readonly string[];
}

/** RFC 9113 §5.4.1. */
export const connectionError = ["connection error"];
/** §5.4.2: any stream error may be treated as a connection error. */
export const streamError = ["stream error", "connection error"];
/** §8.1.1: a malformed request may be answered with 400 before its stream is reset. */
export const malformed = [...streamError, "400"];
export const served = ["200"];
export const continues = ["continues"];

export const { endStream, endHeaders } = flags;
export const whole = endStream | endHeaders;

export function requestFields(method = "GET", more: readonly Field[] = []): Field[] {
  return [
    [":method", method],
    [":scheme", "https"],
    [":authority", hostname],
    [":path", "/length"],
    ...more,
  ];
}

export function get(stream = 1, more: readonly Field[] = []): Buffer {
  return frame(types.headers, whole, stream, block(requestFields("GET", more)));
}

export function post(stream = 1, more: readonly Field[] = []): Buffer {
  return frame(types.headers, endHeaders, stream, block(requestFields("POST", more)));
}

export function fields(list: readonly Field[]): Buffer {
  return frame(types.headers, whole, 1, block(list));
}

export const data = (text = "hello", flag: number = endStream, stream = 1) =>
  frame(types.data, flag, stream, text);

type Row = readonly [
  name: string,
  frames: readonly Buffer[],
  allowed: readonly string[],
  more?: Partial<Script>,
];

export function section(number: string, rows: readonly Row[]): H2Case[] {
  return rows.map(([name, frames, allowed, more = {}]) => ({
    section: number,
    name,
    frames,
    allowed,
    ...more,
  }));
}
