import { count, duration, optional } from "./values.ts";

/**
 * The limits of the edge, each with the bounds in which it is still a working limit. Not set means
 * the edge's own default: the edge defines them, and `docs/configuration.md` lists them.
 */
export const edgeLimitVariables = {
  EDGE_HELLO_SIZE: limit("edgeHelloBytes", count(1_024, 65_536)),
  EDGE_HELLO_TIMEOUT: limit("edgeHelloMs", between("100ms", "5m")),
  EDGE_HANDSHAKE_TIMEOUT: limit("edgeHandshakeMs", between("100ms", "5m")),
  EDGE_CERTIFICATE_WAIT: limit("edgeParkedMs", between("0s", "5m")),
  EDGE_WAITING_PER_NAME: limit("edgeParkedPerName", count(0, 1_000_000)),
  EDGE_WAITING: limit("edgeParkedPerProcess", count(0, 1_000_000)),
  EDGE_CONNECTIONS: limit("edgeConnections", count(1, 1_000_000)),
  EDGE_CONNECTIONS_PER_ADDRESS: limit("edgeConnectionsPerAddress", count(1, 1_000_000)),
  EDGE_NEW_CONNECTIONS_PER_ADDRESS: limit("edgeNewConnectionsPerAddress", count(1, 1_000_000)),
  EDGE_REQUESTS_PER_CONNECTION: limit("edgeRequestsPerConnection", count(1, 999_999_999)),
  EDGE_CONCURRENT_STREAMS: limit("edgeConcurrentStreams", count(1, 10_000)),
  EDGE_KEEP_ALIVE: limit("edgeKeepAliveMs", between("1s", "1d")),
  EDGE_HEAD_TIMEOUT: limit("edgeHeadMs", between("1s", "1h")),
  EDGE_HEAD_SIZE: limit("edgeHeadBytes", count(1_024, 1_048_576)),
  EDGE_FIELDS: limit("edgeFields", count(16, 10_000)),
  EDGE_STALL_TIMEOUT: limit("edgeStallMs", between("1s", "1d")),
  EDGE_BODY_SIZE: limit("edgeBodyBytes", count(0, 1_000_000_000_000)),
  EDGE_BODY_RATE: limit("edgeBodyBytesPerSecond", count(0, 999_999_999)),
  EDGE_QUIET_STREAM_TIMEOUT: limit("edgeQuietStreamMs", between("1s", "30d")),
  EDGE_WEBSOCKET_LIFETIME: limit("edgeWebsocketMs", between("0s", "365d")),
  EDGE_ORIGIN_CONNECT_TIMEOUT: limit("edgeOriginConnectMs", between("100ms", "5m")),
  EDGE_ORIGIN_FIRST_BYTE_TIMEOUT: limit("edgeOriginFirstByteMs", between("1s", "1d")),
  EDGE_ORIGIN_HEAD_SIZE: limit("edgeOriginHeadBytes", count(1_024, 1_048_576)),
  EDGE_ORIGIN_CONNECTIONS: limit("edgeOriginOpen", count(1, 1_000_000)),
  EDGE_QUEUE: limit("edgeQueueLength", count(0, 1_000_000)),
  EDGE_QUEUE_TIMEOUT: limit("edgeQueueMs", between("0s", "5m")),
  EDGE_ORIGIN_IDLE_CONNECTIONS: limit("edgeOriginIdle", count(0, 1_000_000)),
  EDGE_ORIGIN_KEEP_ALIVE: limit("edgeOriginIdleMs", between("0s", "1d")),
  EDGE_CONTINUE_AFTER: limit("edgeContinueAfterMs", between("0s", "5m")),
  EDGE_SHED_DELAY: limit("edgeShedDelayMs", between("1ms", "1m")),
  EDGE_REFUSE_DELAY: limit("edgeRefuseDelayMs", between("1ms", "1m")),
  EDGE_SWEEP_INTERVAL: limit("edgeSweepMs", between("10ms", "1m")),
} as const;

/** The settings that are bounds of what applications may set for themselves. */
type BoundSettings = {
  readonly [F in
    | "edgeOriginFirstByteMs"
    | "edgeQuietStreamMs"
    | "edgeBodyBytes"
    | "edgeWebsocketMs"]: number | null;
};

/** The edge's defaults of these settings; a test of the edge compares them. 0 is no limit. */
export const boundDefaults = {
  edgeOriginFirstByteMs: 120_000,
  edgeQuietStreamMs: 600_000,
  edgeBodyBytes: 0,
  edgeWebsocketMs: 0,
} as const satisfies BoundSettings;

/** The most that each key of an application's `edge` object may be; null for any. */
export function applicationBounds(config: BoundSettings) {
  const bound = (field: keyof BoundSettings, unit: number): number | null => {
    const most = config[field] ?? boundDefaults[field];
    return most === 0 ? null : Math.floor(most / unit);
  };
  return {
    first_byte_timeout_s: bound("edgeOriginFirstByteMs", 1_000),
    idle_timeout_s: bound("edgeQuietStreamMs", 1_000),
    max_body_bytes: bound("edgeBodyBytes", 1),
    websocket_lifetime_s: bound("edgeWebsocketMs", 1_000),
  } as const;
}

function limit<F extends string, T extends ReturnType<typeof count | typeof between>>(
  field: F,
  type: T,
) {
  return { field, type: optional(type) } as const;
}

function between(least: string, most: string) {
  const [from, to] = [duration().parse(least), duration().parse(most)];
  return duration().refine(
    (ms) => ms >= from && ms <= to,
    `expected a duration from ${least} to ${most}`,
  );
}
