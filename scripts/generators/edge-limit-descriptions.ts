import { defaultLimits, limitVariables } from "../../packages/edge/src/config/limits.ts";

/** The meaning of each limit of the edge, in the order of a connection's life. */
export const edgeLimitDescriptions = {
  EDGE_CONNECTIONS: { meaning: "Open connections of visitors." },
  EDGE_CONNECTIONS_PER_ADDRESS: {
    meaning: "Open connections of one address; IPv6 counts by /64.",
  },
  EDGE_NEW_CONNECTIONS_PER_ADDRESS: {
    meaning: "New connections of one address in a second, and as many at once.",
  },
  EDGE_HELLO_SIZE: { meaning: "The largest ClientHello." },
  EDGE_HELLO_TIMEOUT: { meaning: "How long a ClientHello may take to arrive." },
  EDGE_HANDSHAKE_TIMEOUT: { meaning: "How long a handshake may take." },
  EDGE_CERTIFICATE_WAIT: { meaning: "How long a handshake waits for its first certificate." },
  EDGE_WAITING_PER_NAME: { meaning: "Handshakes of one name that wait for a certificate." },
  EDGE_WAITING: { meaning: "The same for all names." },
  EDGE_KEEP_ALIVE: { meaning: "How long a connection without requests stays open." },
  EDGE_REQUESTS_PER_CONNECTION: { meaning: "Requests on one connection, which then closes." },
  EDGE_CONCURRENT_STREAMS: { meaning: "Requests at once on one HTTP/2 connection." },
  EDGE_HEAD_TIMEOUT: { meaning: "How long the head of a request may take; then 408." },
  EDGE_HEAD_SIZE: { meaning: "The largest head of a request, HTTP/2 decoded; then 431." },
  EDGE_FIELDS: { meaning: "Header fields of a request, cookies together as one; then 431." },
  EDGE_STALL_TIMEOUT: {
    meaning:
      "How long a visitor may send nothing of an unfinished upload (then 408) or read nothing of a response, and an origin neither read a request nor continue a response.",
  },
  EDGE_BODY_RATE: {
    meaning:
      "The least bytes a second of an upload, over each `EDGE_STALL_TIMEOUT` in which the edge was ready to read; then 408. `0` for no least rate.",
  },
  EDGE_BODY_SIZE: {
    meaning: "The largest body of a request; then 413. `0` for no limit.",
  },
  EDGE_QUIET_STREAM_TIMEOUT: {
    meaning: "How long a WebSocket or an event stream may be silent.",
  },
  EDGE_WEBSOCKET_LIFETIME: {
    meaning: "How long a WebSocket may last, silent or not. `0s` for no limit.",
  },
  EDGE_ORIGIN_CONNECT_TIMEOUT: {
    meaning: "How long a connection to an origin may take to open; then 504.",
  },
  EDGE_ORIGIN_FIRST_BYTE_TIMEOUT: {
    meaning:
      "How long an origin may take from the last byte of a request to the first of its response; then 504. Long polls need it.",
  },
  EDGE_CONTINUE_AFTER: {
    meaning:
      "How long an origin may leave `Expect: 100-continue` unanswered before the edge lets the visitor send.",
  },
  EDGE_ORIGIN_HEAD_SIZE: { meaning: "The largest head of a response; then 502." },
  EDGE_ORIGIN_CONNECTIONS: {
    meaning:
      "Requests and WebSockets of one application in flight at once. More of them wait, those of [the busiest hosts](edge.md#fairness) longest.",
  },
  EDGE_QUEUE: {
    meaning:
      "Requests of one application that wait, and requests of all applications that have just arrived. One more, and a request of the busiest gets 503.",
  },
  EDGE_QUEUE_TIMEOUT: { meaning: "How long a request waits; then 503." },
  EDGE_ORIGIN_IDLE_CONNECTIONS: {
    meaning: "Connections to an origin that are held open for reuse.",
  },
  EDGE_ORIGIN_KEEP_ALIVE: { meaning: "How long they are held." },
  EDGE_SHED_DELAY: {
    meaning:
      "The delay of the event loop from which requests on new connections of the busiest hosts get 503.",
  },
  EDGE_REFUSE_DELAY: { meaning: "The delay from which new connections are refused." },
  EDGE_SWEEP_INTERVAL: {
    meaning: "How often deadlines and removed names are checked; timeouts are that exact.",
  },
} as const;

const limitNames = Object.keys(limitVariables) as (keyof typeof limitVariables)[];

/** As the variable would be written; null for a variable that is no limit. */
export function edgeLimitDefault(variable: string): string | null {
  const limit = limitNames.find((name) => limitVariables[name] === variable);
  if (limit === undefined) return null;
  const value = defaultLimits[limit];
  return `\`${limit.endsWith("Ms") ? inUnits(value) : value}\``;
}

function inUnits(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}
