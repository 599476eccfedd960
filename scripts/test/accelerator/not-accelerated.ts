/** A test file, or one test of it, that does not run with promoted names. */
export interface NotAccelerated {
  readonly file: string;
  /** The name of the test; absent for the whole file. */
  readonly test?: string;
  readonly reason: string;
}

export const notAccelerated: readonly NotAccelerated[] = [
  {
    file: "packages/edge/src/http/h2/connection.test.ts",
    test: "ends a connection that opens and resets streams in a flood, and serves the others",
    reason: "HAProxy limits the streams that are open, not those that were reset",
  },
  {
    file: "packages/edge/src/http/h2/exchange.test.ts",
    test: "ends before the client is asked to send no more",
    reason: "HAProxy leaves the stream of an early answer open until the request ends",
  },
  {
    file: "packages/edge/src/http/h2/exchange.test.ts",
    test: "is 431 for a head that is too large once decoded, also before the limit is acknowledged",
    reason: "HAProxy closes a connection whose head is larger than its buffer",
  },
  {
    file: "packages/edge/src/http/h2/exchange.test.ts",
    test: "does not come for trailers that are too large",
    reason: "the 400 of the Node edge comes as an answer, not as a reset",
  },
  {
    file: "packages/edge/src/listen/front.world.test.ts",
    test: "what is refused is counted by its reason",
    reason: "what HAProxy refuses is not in the numbers of the Node edge",
  },
  {
    file: "packages/edge/src/listen/front.world.test.ts",
    test: "a CDN is not limited by its address, and names the visitor",
    reason: "its CDN is a function of the Node edge, whose networks HAProxy is not given",
  },
  {
    file: "packages/edge/src/listen/listeners.limits.test.ts",
    test: "is refused by the listener",
    reason: "what HAProxy refuses is not in the numbers of the Node edge",
  },
  {
    file: "packages/edge/src/listen/listeners.limits.test.ts",
    test: "cuts what does not finish in time",
    reason: "the request is counted when HAProxy has ended it",
  },
  {
    file: "packages/edge/src/listen/listeners.small-reads.test.ts",
    reason: "small pieces and framing are not counted by HAProxy",
  },
  {
    file: "packages/edge/src/metrics/metrics.world.test.ts",
    reason: "reads numbers of requests before the lines of HAProxy have come",
  },
  {
    file: "packages/edge/src/proxy/access-log.test.ts",
    test: "has the status and the reference of a body that the connection itself refuses",
    reason: "moves the clock of the Node edge, which HAProxy does not have",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.h2-flow.test.ts",
    reason: "its origins speak HTTP/2, so that no name is promoted",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.h2-failure.test.ts",
    reason: "its origins speak HTTP/2, so that no name is promoted",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.h2-origin.test.ts",
    reason: "its origins speak HTTP/2, so that no name is promoted",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.h2-web-socket.test.ts",
    reason: "WebSockets are offered over HTTP/1.1 only",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.origin-failure.test.ts",
    reason:
      "HAProxy answers once, then leaves the failing origin to the Node edge; accelerator.world.test.ts has that",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.several-origins.test.ts",
    reason: "a name with several origins is not promoted",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.silent-names.world.test.ts",
    reason: "a name is not promoted before the name of its origin has an address",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.streaming.test.ts",
    test: "answer without the body when the origin does not want it",
    reason: "HAProxy closes the connection of an early answer only when the request has ended",
  },
  {
    file: "packages/edge/src/proxy/limits/request-limits.test.ts",
    test: "allow a silence in a response within the bound for quiet streams",
    reason:
      "a name with limits of its own is not promoted, and its test moves the clock of the Node edge",
  },
  {
    file: "packages/edge/src/proxy/limits/request-limits.test.ts",
    test: "end a WebSocket at its age, also while it is used",
    reason: "moves the clock of the Node edge, which HAProxy does not have",
  },
  {
    file: "packages/edge/src/proxy/limits/request-limits.test.ts",
    test: "refuse a large body with 413 before the origin gets it, over both protocols",
    reason: "HAProxy closes the connection of an early answer only when the request has ended",
  },
  {
    file: "packages/edge/src/proxy/serve-request.host-match.test.ts",
    test: "refuses an HTTP/2 request whose host and authority differ",
    reason: "HAProxy drops Host beside :authority",
  },
  {
    file: "packages/edge/src/proxy/serve-request.host-match.test.ts",
    test: "refuses requests as soon as its host has another claim, and is closed soon after",
    reason:
      "HAProxy leaves an idle connection open and refuses its next request; claims.world.test.ts has that",
  },
  {
    file: "packages/edge/src/proxy/serve-request.host-match.test.ts",
    test: "is closed when its host is removed, idle or not",
    reason:
      "HAProxy leaves an idle connection open and refuses its next request; changes.world.test.ts has that",
  },
  {
    file: "packages/edge/src/proxy/origin/checks.test.ts",
    reason: "a name with several origins, which are checked, is not promoted",
  },
  {
    file: "packages/edge/src/proxy/origin/path.test.ts",
    reason: "a name with a path in its origin is not promoted",
  },
  {
    file: "packages/edge/src/proxy/response/refusal.test.ts",
    reason: "its names have no origin, so that none is promoted",
  },
  {
    file: "packages/edge/src/proxy/serve-request.maintenance.test.ts",
    reason: "a name in maintenance is not promoted",
  },
  {
    file: "packages/edge/src/proxy/serve-under-rules.test.ts",
    reason: "a name with rules is not promoted",
  },
  {
    file: "packages/edge/src/proxy/site-exchange.world.test.ts",
    reason: "a name with compressed answers is not promoted",
  },
  {
    file: "packages/edge/src/tls/handshake.ocsp.test.ts",
    reason: "a name whose certificate names a responder is not promoted",
  },
  {
    file: "packages/edge/src/tls/handshake.ocsp.world.test.ts",
    reason: "a name whose certificate names a responder is not promoted",
  },
  {
    file: "packages/edge/src/tls/handshake.resumption.test.ts",
    reason: "sessions of promoted names are not resumed; accelerator.world.test.ts has that",
  },
  {
    file: "packages/edge/src/tls/handshake.resumption.world.test.ts",
    reason: "sessions of promoted names are not resumed; accelerator.world.test.ts has that",
  },
  {
    file: "packages/edge/src/tls/handshake.test.ts",
    reason: "is about handshakes that wait for a certificate; HAProxy gets names that have one",
  },
  {
    file: "test/strangers/grpc.world.test.ts",
    reason: "its origin speaks HTTP/2; the page of conformance has gRPC through HAProxy",
  },
  {
    file: "test/strangers/nghttpd.world.test.ts",
    reason: "its origin speaks HTTP/2, so that no name is promoted",
  },
  {
    file: "packages/edge/src/scheduling/scheduler.fairness.test.ts",
    test: "is refused itself when too many wait, with Retry-After, and nobody else is",
    reason: "HAProxy limits how long a request waits for the origin, not how many wait",
  },
  {
    file: "packages/edge/src/proxy/forward/forward.wasteful-origin.test.ts",
    reason: "HAProxy does not limit the informational responses of an origin",
  },
  {
    file: "packages/edge/src/http/body-timeouts.test.ts",
    reason: "moves the clock of the Node edge, which HAProxy does not have",
  },
  {
    file: "packages/edge/src/http/h2/exchange.inform.test.ts",
    reason: "HAProxy passes informational responses on as they are",
  },
  {
    file: "packages/edge/src/listen/listeners.drain.test.ts",
    reason: "HAProxy closes its port at a signal, and announces no close on open connections",
  },
  {
    file: "packages/edge/src/listen/listeners.limits.test.ts",
    test: "comes after the last request that a connection may carry",
    reason: "HAProxy does not limit the requests of a connection",
  },
  ...["debian-13", "http3", "promoter", "promotion", "restart"].map((name) => ({
    file: `test/world/edge/accelerator/${name}.test.ts`,
    reason: "is about the accelerator itself, and starts one with times and sizes of its own",
  })),
  {
    file: "test/strangers/strangers.world.test.ts",
    reason: "compares a promoted name with the Node edge, Caddy and nginx in each of its runs",
  },
  {
    file: "test/world/edge/certificates/acme.test.ts",
    test: "is served, followed and archived by an edge that can write no file",
    reason: "an edge with an accelerator needs files: its configuration and its sockets",
  },
  {
    file: "test/world/edge/certificates/first-request.test.ts",
    reason: "is about visitors who come before HAProxy can have the name",
  },
  {
    file: "test/world/edge/certificates/many-names.test.ts",
    reason: "orders certificates and serves nobody",
  },
  {
    file: "test/world/edge/certificates/order-resume.test.ts",
    reason: "orders certificates and serves nobody",
  },
  {
    file: "test/world/edge/certificates/parked.test.ts",
    reason: "is about handshakes that wait for a certificate; HAProxy gets names that have one",
  },
  {
    file: "test/world/edge/certificates/trouble.test.ts",
    reason: "orders certificates and serves nobody",
  },
  {
    file: "test/world/edge/names/archive.test.ts",
    test: "was resumed by every process before, whichever of them began the session",
    reason: "sessions of promoted names are not resumed; accelerator.world.test.ts has that",
  },
  {
    file: "test/world/edge/names/caddy.test.ts",
    reason: "Caddy is the edge of this test",
  },
  {
    file: "test/world/edge/origins/several-origins.test.ts",
    reason: "a name with several origins is not promoted",
  },
  {
    file: "test/world/edge/origins/trouble-kill.test.ts",
    reason: "writes what edges report and starts none",
  },
  {
    file: "test/world/edge/processes/cluster.test.ts",
    test: "resumes a session at every worker",
    reason: "sessions of promoted names are not resumed; accelerator.world.test.ts has that",
  },
  {
    file: "test/world/edge/processes/cluster.test.ts",
    test: "serves on when a worker dies, restarts it, and does not reset the counters",
    reason: "HAProxy has the connections, and none is lost with a worker",
  },
  {
    file: "test/world/edge/processes/outage.test.ts",
    test: "does so for a day after the last contact with the database, and no longer",
    reason: "its edges share a directory, which has one accelerator",
  },
  {
    file: "test/world/edge/visitors/small-reads.test.ts",
    reason: "small pieces and framing are not counted by HAProxy",
  },
];
