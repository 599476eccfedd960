export { orElse, unlessAborted } from "./abort-race.ts";
export { createSerialQueue, type SerialQueue } from "./serial-queue.ts";
export { createSingleFlight, type SingleFlight } from "./single-flight.ts";
export { type BucketLimit, TokenBucket } from "./token-bucket.ts";
