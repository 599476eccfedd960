import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { launch } from "@mooring/testing/dns/dns-servers";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { curl, frontUrl, runClient } from "./clients.ts";
import { type Front, hostname } from "./fronts.ts";

const fileBytes = 8_388_608;

describe("nghttpd as an origin of HTTP/2", () => {
  let edge: TestEdge;
  let front: Front;
  let stop: () => Promise<unknown>;
  let folder: string;
  const content = Buffer.alloc(fileBytes, "0123456789abcdef!");
  before(async () => {
    edge = await startTestEdge();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-nghttpd-"));
    await writeFile(path.join(folder, "small.txt"), "hello");
    await writeFile(path.join(folder, "large.bin"), content);
    const caFile = path.join(folder, "ca.pem");
    await writeFile(caFile, edge.authority.certificatePem);
    const port = await freePort();
    const args = ["--no-tls", "--address=127.0.0.1", `--htdocs=${folder}`, String(port)];
    const server = launch(["nghttpd", ...args], "nghttpd", folder);
    stop = () => server.stop();
    edge.hosts.set(hostname, { originUrl: `h2c://127.0.0.1:${port}` });
    front = { name: "ours", port: edge.httpsPort, caFile };
    await server.during(
      until(async () => (await curl(front, "1.1", "/small.txt")) === "200 hello", "nghttpd"),
    );
  });
  after(async () => {
    await edge.close();
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("serves curl over both versions, and a large file whole", async () => {
    assert.equal(await curl(front, "1.1", "/small.txt"), "200 hello");
    assert.equal(await curl(front, "2", "/small.txt"), "200 hello");
    for (const version of ["1.1", "2"] as const) {
      const file = path.join(folder, `got-${version}`);
      await curl(front, version, "/large.bin", ["--output", file]);
      const { stdout } = await runClient("sha256sum", [file]);
      assert.equal(stdout.split(" ")[0], createHash("sha256").update(content).digest("hex"));
    }
  });

  it("serves h2load's 1,000 streams at once", async (context) => {
    const connectTo = `--connect-to=127.0.0.1:${front.port}`;
    const args = ["-n", "3000", "-c", "10", "-m", "100", connectTo, frontUrl(front, "/small.txt")];
    const { stdout } = await runClient("h2load", args);
    context.diagnostic(/finished in.*/.exec(stdout)?.[0] ?? "");
    assert.match(stdout, /3000 succeeded, 0 failed, 0 errored/);
    assert.match(stdout, /3000 2xx/);
  });
});
