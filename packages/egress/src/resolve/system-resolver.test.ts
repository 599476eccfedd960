import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  SERVFAIL,
  SILENCE,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { createGuard } from "../guard.ts";
import { createSystemResolver } from "./system-resolver.ts";

const addresses: Readonly<Record<string, { readonly A?: string; readonly AAAA?: string }>> = {
  "both.example": { A: "192.0.2.1", AAAA: "2001:db8::1" },
  "four.example": { A: "192.0.2.4" },
  "half.example": { A: "192.0.2.9" },
  "six.example": { AAAA: "2001:db8::6" },
  "web.prod.svc.cluster.local": { A: "10.0.0.7" },
};

function answerTo({ name, type }: ScriptedQuestion): Behaviour {
  if (name === "broken.example") return SERVFAIL;
  if (name === "dead.example" || (name === "half.example" && type === "AAAA")) return SILENCE;
  const known = addresses[name];
  if (known === undefined) return { rcode: 3 };
  const data = type === "A" ? known.A : known.AAAA;
  if (data === undefined || (type !== "A" && type !== "AAAA")) return {};
  return { answers: [{ name, type, ttl: 60, data }] };
}

describe("the resolver of the system", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-resolver-"));
  const hostsFile = path.join(directory, "hosts");
  const resolvConf = path.join(directory, "resolv.conf");
  let dns: ScriptedDns;
  let resolve: ReturnType<typeof createSystemResolver>;
  before(async () => {
    dns = await startScriptedDns({
      address: "127.0.0.1",
      port: await freePort(),
      behave: answerTo,
    });
    writeFileSync(hostsFile, "192.0.2.200 pinned.example\n");
    writeFileSync(resolvConf, "search prod.svc.cluster.local svc.cluster.local\noptions ndots:5\n");
    const servers = [`127.0.0.1:${dns.port}`];
    resolve = createSystemResolver({ servers, hostsFile, resolvConf });
  });
  after(async () => {
    await dns.stop();
    rmSync(directory, { recursive: true });
  });

  test("finds the addresses of both families", async () => {
    const both = await resolve("both.example");
    assert.deepEqual(both.toSorted(), ["192.0.2.1", "2001:db8::1"]);
    assert.deepEqual(await resolve("four.example"), ["192.0.2.4"]);
    assert.deepEqual(await resolve("six.example"), ["2001:db8::6"]);
  });

  test("asks for names of a cluster as short and as full names", async () => {
    for (const name of ["web", "web.prod", "web.prod.svc.cluster.local", "WEB."]) {
      const answer = await resolve(name).catch((error: Error) => error.message);
      assert.deepEqual(answer, name === "WEB." ? "the host has no address" : ["10.0.0.7"]);
    }
  });

  test("takes the hosts file first, also after it has changed", async () => {
    assert.deepEqual(await resolve("Pinned.example"), ["192.0.2.200"]);
    writeFileSync(hostsFile, "192.0.2.201 pinned.example four.example\n");
    await until(async () => (await resolve("pinned.example"))[0] === "192.0.2.201");
    assert.deepEqual(await resolve("four.example"), ["192.0.2.201"]);
  });

  test("answers localhost itself, which the guard refuses", async () => {
    assert.deepEqual(await resolve("any.localhost"), ["127.0.0.1", "::1"]);
    const guard = createGuard({ lookup: resolve });
    await assert.rejects(guard.resolve("localhost"), { kind: "refused_address" });
    await assert.rejects(guard.resolve("web"), { kind: "refused_address" });
    assert.ok(dns.seen.every(({ name }) => !name.endsWith("localhost")));
  });

  test("uses one family when the other's question is not answered", async () => {
    assert.deepEqual(await resolve("half.example"), ["192.0.2.9"]);
  });

  test("says whether a name is absent, broken or not answered", async () => {
    const guard = createGuard({ lookup: resolve });
    await assert.rejects(guard.resolve("none.example"), { kind: "dns" });
    await assert.rejects(guard.resolve("broken.example"), {
      kind: "dns",
      message: "the host could not be resolved (ESERVFAIL)",
    });
    await assert.rejects(guard.resolve("dead.example"), { kind: "timeout" });
  });
});
