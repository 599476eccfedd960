import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { after, before, describe, it } from "node:test";
import { freePort } from "@mooring/testing/processes/free-port";
import { listenAddress, PortError, portProblem, requireFreePorts } from "./ports.ts";

describe("portProblem", () => {
  let taken: Server;
  let port = 0;
  before(async () => {
    port = await freePort();
    taken = createServer().listen(port, "127.0.0.1");
    await once(taken, "listening");
  });
  after(() => taken.close());

  it("finds nothing wrong with a free port, and leaves it free", async () => {
    const requested = { variable: "PORT", host: "127.0.0.1", port: await freePort() };
    assert.equal(await portProblem(requested), null);
    assert.equal(await portProblem(requested), null);
  });

  it("says which process has a port, and which variable chooses another", async () => {
    const problem = await portProblem({ variable: "INTERNAL_PORT", host: "127.0.0.1", port });
    assert.ok(problem);
    assert.equal(problem.holder?.pid, process.pid);
    assert.match(problem.message, new RegExp(`^port ${port} is taken by process ${process.pid} `));
    assert.match(problem.fix, new RegExp(`INTERNAL_PORT=${port + 1}$`));
  });

  it("blames nobody who listens on another address of the machine", async (t) => {
    const elsewhere = createServer().listen(port, "127.0.0.2");
    await once(elsewhere, "listening");
    t.after(() => elsewhere.close());
    const other = { variable: "PORT", host: "127.0.0.3", port };
    assert.equal(await portProblem(other), null);
    const script = `require("net").createServer().listen(${port}, "127.0.0.3", () => console.log("up"))`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill());
    await once(child.stdout, "data");
    const problem = await portProblem(other);
    assert.equal(problem?.holder?.pid, child.pid);
    assert.equal(problem?.holder?.address, "127.0.0.3");
  });

  it("says at which address a port is taken, and how to listen beside it", async (t) => {
    const free = await freePort();
    const beside = createServer().listen(free, "127.0.0.53");
    await once(beside, "listening");
    t.after(() => beside.close());
    const requested = { variable: "VALIDATION_PORT", host: "0.0.0.0", port: free };
    const problem = await portProblem(requested);
    assert.match(problem?.message ?? "", / at 127\.0\.0\.53$/);
    assert.match(problem?.fix ?? "", /set VALIDATION_HOST to the address to listen on/);
  });

  it("says when the host is not an address of this machine", async () => {
    const problem = await portProblem({ variable: "PORT", host: "203.0.113.7", port: 0 });
    assert.match(problem?.message ?? "", /203\.0\.113\.7 is not an address of this machine/);
    assert.match(problem?.fix ?? "", /^set HOST /);
    const named = { variable: "EDGE_HTTP_PORT", host: "no-such-machine.invalid", port: 0 };
    assert.match((await portProblem(named))?.fix ?? "", /^set EDGE_HOST /);
  });

  it("throws the first problem of a list", async () => {
    const free = { variable: "PORT", host: "127.0.0.1", port: await freePort() };
    await requireFreePorts([free]);
    const bad = { variable: "INTERNAL_PORT", host: "127.0.0.1", port };
    await assert.rejects(requireFreePorts([free, bad]), PortError);
  });
});

describe("listenAddress", () => {
  it("listens on every address of both families, on IPv4 alone where IPv6 is switched off", async () => {
    const answering = (code: string | null) => async () => code;
    assert.equal(await listenAddress("::", answering(null)), "::");
    assert.equal(await listenAddress("::", answering("EAFNOSUPPORT")), "0.0.0.0");
    assert.equal(await listenAddress("::", answering("EADDRNOTAVAIL")), "0.0.0.0");
    assert.equal(await listenAddress("127.0.0.1", answering("EADDRNOTAVAIL")), "127.0.0.1");
  });
});
