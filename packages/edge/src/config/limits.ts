import type { HttpLimits } from "../http/exchange.ts";

/** Limits on what a client or an origin may cost; times in milliseconds, sizes in bytes. */
export interface EdgeLimits extends HttpLimits {
  readonly helloBytes: number;
  readonly helloMs: number;
  readonly handshakeMs: number;
  /** How long a handshake waits for its certificate. */
  readonly parkedMs: number;
  readonly parkedPerName: number;
  readonly parkedPerProcess: number;
  /** IPv6 counts by /64, the usual size of one customer's network. */
  readonly connectionsPerAddress: number;
  readonly handshakesPerAddressPerSecond: number;
  readonly connections: number;
  readonly originConnectMs: number;
  readonly originFirstByteMs: number;
  /** Idle connections held for reuse, per tenant and origin. */
  readonly originIdle: number;
  readonly originIdleMs: number;
  /** Connections in use at once, per tenant and origin: open streams must not starve the rest. */
  readonly originOpen: number;
  /** Event loop delay from which requests on new connections are shed. */
  readonly shedDelayMs: number;
  /** Event loop delay from which new connections are refused. */
  readonly refuseDelayMs: number;
  /** How long a stopping edge completes its exchanges, WebSockets and event streams. */
  readonly drainMs: number;
  /** How often deadlines and removed hosts are checked. */
  readonly sweepMs: number;
}

export const defaultLimits: EdgeLimits = {
  helloBytes: 16_384,
  helloMs: 5_000,
  handshakeMs: 10_000,
  parkedMs: 15_000,
  parkedPerName: 512,
  parkedPerProcess: 2_000,
  connectionsPerAddress: 100,
  handshakesPerAddressPerSecond: 20,
  connections: 8_000,
  headMs: 10_000,
  headBytes: 16_384,
  fields: 100,
  requestsPerConnection: 1_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  bodyBytesPerSecond: 500,
  quietStreamMs: 600_000,
  concurrentStreams: 100,
  originConnectMs: 5_000,
  originFirstByteMs: 30_000,
  originHeadBytes: 65_536,
  originIdle: 32,
  originIdleMs: 30_000,
  originOpen: 512,
  shedDelayMs: 100,
  refuseDelayMs: 500,
  drainMs: 30_000,
  drainIdleMs: 2_000,
  sweepMs: 1_000,
};
