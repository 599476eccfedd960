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
  /** From the last byte of the request to the first of the response; long polls take their time. */
  readonly originFirstByteMs: number;
  /** The largest body of a request; 0 for no limit. */
  readonly bodyBytes: number;
  /** How long a WebSocket may last; 0 for no limit. */
  readonly websocketMs: number;
  /** How long the origin may leave `Expect: 100-continue` unanswered before the edge answers it. */
  readonly continueAfterMs: number;
  /** Idle connections held for reuse, per tenant and origin. */
  readonly originIdle: number;
  readonly originIdleMs: number;
  /** Requests and WebSockets of one application in flight at once: one more waits. */
  readonly originOpen: number;
  /** Requests in flight at once over HTTP/2, per tenant and origin. */
  readonly originStreams: number;
  /** How long an origin may leave a PING of HTTP/2 unanswered. */
  readonly originPingMs: number;
  /** Requests of one application that wait, and requests of all that have just arrived. */
  readonly queueLength: number;
  /** How long a request waits for others of its host before it gets 503. */
  readonly queueMs: number;
  /** Responses that are compressed at once; more are sent as they are. */
  readonly compressions: number;
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
  parkedMs: 10_000,
  parkedPerName: 512,
  parkedPerProcess: 2_000,
  connectionsPerAddress: 100,
  handshakesPerAddressPerSecond: 20,
  connections: 8_000,
  headMs: 10_000,
  headBytes: 16_384,
  fields: 256,
  requestsPerConnection: 1_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  bodyBytesPerSecond: 500,
  quietStreamMs: 600_000,
  concurrentStreams: 100,
  originConnectMs: 5_000,
  originFirstByteMs: 120_000,
  bodyBytes: 0,
  websocketMs: 0,
  continueAfterMs: 1_000,
  originHeadBytes: 65_536,
  originIdle: 32,
  originIdleMs: 30_000,
  originOpen: 512,
  originStreams: 2_000,
  originPingMs: 5_000,
  queueLength: 4_096,
  queueMs: 5_000,
  compressions: 64,
  shedDelayMs: 100,
  refuseDelayMs: 500,
  drainMs: 30_000,
  drainIdleMs: 5_000,
  sweepMs: 1_000,
};

/**
 * The environment variable of each limit; that of `drainMs` is set apart, it is no limit on others.
 */
export const limitVariables = {
  helloBytes: "EDGE_HELLO_SIZE",
  helloMs: "EDGE_HELLO_TIMEOUT",
  handshakeMs: "EDGE_HANDSHAKE_TIMEOUT",
  parkedMs: "EDGE_CERTIFICATE_WAIT",
  parkedPerName: "EDGE_WAITING_PER_NAME",
  parkedPerProcess: "EDGE_WAITING",
  connectionsPerAddress: "EDGE_CONNECTIONS_PER_ADDRESS",
  handshakesPerAddressPerSecond: "EDGE_NEW_CONNECTIONS_PER_ADDRESS",
  connections: "EDGE_CONNECTIONS",
  headMs: "EDGE_HEAD_TIMEOUT",
  headBytes: "EDGE_HEAD_SIZE",
  fields: "EDGE_FIELDS",
  requestsPerConnection: "EDGE_REQUESTS_PER_CONNECTION",
  keepAliveMs: "EDGE_KEEP_ALIVE",
  stallMs: "EDGE_STALL_TIMEOUT",
  bodyBytesPerSecond: "EDGE_BODY_RATE",
  quietStreamMs: "EDGE_QUIET_STREAM_TIMEOUT",
  concurrentStreams: "EDGE_CONCURRENT_STREAMS",
  originConnectMs: "EDGE_ORIGIN_CONNECT_TIMEOUT",
  originFirstByteMs: "EDGE_ORIGIN_FIRST_BYTE_TIMEOUT",
  bodyBytes: "EDGE_BODY_SIZE",
  websocketMs: "EDGE_WEBSOCKET_LIFETIME",
  continueAfterMs: "EDGE_CONTINUE_AFTER",
  originHeadBytes: "EDGE_ORIGIN_HEAD_SIZE",
  originIdle: "EDGE_ORIGIN_IDLE_CONNECTIONS",
  originIdleMs: "EDGE_ORIGIN_KEEP_ALIVE",
  originOpen: "EDGE_ORIGIN_CONNECTIONS",
  originStreams: "EDGE_ORIGIN_STREAMS",
  originPingMs: "EDGE_ORIGIN_PING_TIMEOUT",
  queueLength: "EDGE_QUEUE",
  queueMs: "EDGE_QUEUE_TIMEOUT",
  compressions: "EDGE_COMPRESSIONS",
  shedDelayMs: "EDGE_SHED_DELAY",
  refuseDelayMs: "EDGE_REFUSE_DELAY",
  sweepMs: "EDGE_SWEEP_INTERVAL",
} as const satisfies Partial<Record<keyof EdgeLimits, string>>;

type LimitVariable = (typeof limitVariables)[keyof typeof limitVariables];

/** Limits under the names of their variables; null for the default. */
export type LimitSettings = { readonly [V in LimitVariable]?: number | null };

/** The limits that the settings change. */
export function limitsFrom(settings: LimitSettings): Partial<EdgeLimits> {
  const set = Object.entries(limitVariables).flatMap(([limit, variable]) => {
    const value = settings[variable] ?? null;
    return value === null ? [] : [[limit, value] as const];
  });
  return Object.fromEntries(set);
}
