import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, get, type Made, verify } from "@mooring/testing/clients/connecting";
import { call, codeOf } from "@mooring/testing/control/http";
import { type ScriptedDelegation, startDelegation } from "@mooring/testing/dns/scripted-delegation";
import { cname, txt } from "@mooring/testing/dns/scripted-zone";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import type { Answer } from "dns-packet";

const zone = "hostile.example";
const edge = "edge.mooring.example";
const nul = Buffer.from([0x61, 0x00, 0x62, 0xff, 0xe2, 0x80, 0xae]);

describe("a zone whose values are no text", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let dns: ScriptedDelegation;
  before(async () => {
    dns = await startDelegation(zone, "127.0.12");
    life = await startLifecycle({ resolver: dns.resolver, env: { EDGE_CNAME: edge } });
    caller = await life.caller("Acme", "live");
  });
  after(async () => {
    await life.close();
    await dns.stop();
  });

  const bytes = (name: string): Answer => ({ name, type: "TXT", ttl: 60, data: [nul] });
  const proof = ({ hostname, challenge }: Made) => txt(`_service-challenge.${hostname}`, challenge);
  const check = (id: string) =>
    call(caller.base, `/v1/connections/${id}/records:check`, { key: caller.key, method: "POST" });

  it("does not freeze a connection: its checks continue, and it goes live once they are right", async () => {
    const path = `/v1/applications/${caller.applicationId}`;
    const record_template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}" },
      { host: "_hello", type: "TXT", value: "hello" },
    ];
    await call(caller.base, path, { key: caller.key, method: "PATCH", body: { record_template } });
    const made = await connect(caller, `shop.${zone}`);
    const { id, hostname } = made;
    dns.set(bytes(`_service-challenge.${hostname}`));
    const refused = await verify(caller, id);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"], refused.text);
    await life.checkAll(60_000);
    assert.equal((await get(caller, id)).json()["error_code"], "txt_mismatch");

    const caa: Answer = {
      name: hostname,
      type: "CAA",
      ttl: 60,
      data: { flags: 0, tag: "issue", value: "a\u0000b" },
    };
    dns.set(proof(made), cname(hostname, edge), bytes(`_hello.${hostname}`), caa);
    await life.reach(id, "propagating");
    const checked = await check(id);
    assert.equal(checked.status, 200, checked.text);
    assert.match(checked.text, /a\ufffdb\ufffd/);
    await life.checkAll(60_000);
    assert.match((await get(caller, id)).text, /a\ufffdb\ufffd/, "what was seen is stored");
    const diagnosis = await call(caller.base, `/v1/connections/${id}/diagnosis`, {
      key: caller.key,
    });
    assert.equal(diagnosis.status, 200, diagnosis.text);

    dns.set(proof(made), cname(hostname, edge), txt(`_hello.${hostname}`, "hello"));
    await life.reach(id, "issuing_cert");
    assert.deepEqual(await life.broken(), []);
  });
});
