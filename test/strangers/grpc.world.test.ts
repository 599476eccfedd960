import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { leafFor, startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { callGrpc, type GrpcServer, startGrpcServer } from "./grpc-server.ts";

/** What grpcio's client sees of grpcio's server, by the kind of call. */
const cases = {
  a_unary_call: String.raw`hello m last b'\x00\xff'`,
  client_streaming: "0,1,2,3,4",
  server_streaming: "0,1,2,3,4",
  bidirectional: "echo 0, echo 1, echo 2",
  only_trailers: "NOT_FOUND: nothing here: 100 % ü",
  late_status: "first, DATA_LOSS: after the first",
  unknown_method: "UNIMPLEMENTED: Method not found!",
  deadline: "DEADLINE_EXCEEDED, the server noticed",
  cancellation: "CANCELLED, the server noticed",
  large_messages: "8388608 bytes, the same",
  many_calls: "1000 of 1000",
} as const;

describe("gRPC between grpcio's client and server, through the edge", () => {
  let edge: TestEdge;
  let folder: string;
  const servers: GrpcServer[] = [];
  before(async () => {
    edge = await startTestEdge();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-grpc-"));
    const leaf = await leafFor(edge.authority, { addresses: ["127.0.0.1"] });
    const files = { cert: path.join(folder, "cert.pem"), key: path.join(folder, "key.pem") };
    await writeFile(files.cert, leaf.cert);
    await writeFile(files.key, leaf.key);
    await writeFile(path.join(folder, "ca.pem"), edge.authority.certificatePem);
    const plain = await startGrpcServer(null);
    const secure = await startGrpcServer(files);
    servers.push(plain, secure);
    edge.hosts.set("plain.example", { originUrl: `h2c://127.0.0.1:${plain.port}` });
    edge.hosts.set("secure.example", { originUrl: `https://127.0.0.1:${secure.port}` });
    edge.hosts.set("dead.example", { originUrl: "h2c://127.0.0.1:1025" });
    edge.hosts.set("none.example");
  });
  after(async () => {
    await edge.close();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const call = (hostname: string, name: string): Promise<string> =>
    callGrpc(name, { hostname, port: edge.httpsPort, caFile: path.join(folder, "ca.pem") });

  for (const hostname of ["plain.example", "secure.example"] as const) {
    it(`works for all kinds of calls with an origin that is ${hostname.split(".")[0]}`, async () => {
      for (const [name, expected] of Object.entries(cases)) {
        assert.equal(await call(hostname, name), expected, name);
      }
    });
  }

  it("reports a status and no page when the edge itself refuses a call", async () => {
    const dead = await call("dead.example", "refused");
    assert.match(
      dead,
      /^UNAVAILABLE: The server behind this domain .*\(502, reference [0-9a-f]+\)$/,
    );
    assert.match(
      await call("none.example", "refused"),
      /^UNIMPLEMENTED: .*\(404, reference \S+\)$/,
    );
  });
});
