import type { StrangerCase } from "./cases.ts";
import { grpcHostname } from "./fronts.ts";
import { callGrpc } from "./grpc-server.ts";

/**
 * The kinds of calls in grpc_client.py, with an origin that speaks HTTP/2 without TLS. Not the
 * deadline: through Caddy its status differs from run to run.
 */
const kinds = {
  a_unary_call: "a unary call with metadata",
  client_streaming: "a stream of the client",
  server_streaming: "a stream of the server",
  bidirectional: "both streams, alternating",
  only_trailers: "a status and nothing else",
  late_status: "a status after a message",
  unknown_method: "an unknown method",
  cancellation: "a call that is cancelled",
  large_messages: "a message of 8 MiB and back",
  many_calls: "1,000 calls at once",
} as const;

export const grpcCases: readonly StrangerCase[] = Object.entries(kinds).map(([kind, name]) => ({
  client: "grpcio",
  name,
  run: ({ port, caFile }) => callGrpc(kind, { hostname: grpcHostname, port, caFile }),
}));
