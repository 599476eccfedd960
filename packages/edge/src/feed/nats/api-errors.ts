import { JetStreamApiError } from "@nats-io/jetstream";

/** Codes of the JetStream API. */
const streamNotFound = 10_059;
const wrongLastSequence = 10_071;

export function isStreamAbsent(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === streamNotFound;
}

/** Whether another process has written to the stream. */
export function isTakenOver(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === wrongLastSequence;
}
