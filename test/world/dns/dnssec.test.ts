import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  errorDetails,
  get,
  verify,
} from "@mooring/testing/clients/connecting";
import { type SignedWorld, startSignedWorld } from "@mooring/testing/dns/signed-world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const records = '@ A 192.0.2.10\n_service-challenge TXT "other"';

describe("a domain whose DNSSEC is broken", () => {
  let world: SignedWorld;
  let life: LifecycleApp;
  let caller: Caller;

  before(async () => {
    world = await startSignedWorld("127.35.0", {
      "signed.example": { records },
      "bogus.example": {
        records,
        ds: (own) => own.map((data) => data.replace(/.{8}$/, "00000000")),
      },
    });
    // Its resolver validates nothing.
    const { everything, port, trustAnchors } = world;
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: `${everything}:${port}`,
        DNS_AUTHORITATIVE_PORT: String(port),
        DNSSEC_TRUST_ANCHORS: trustAnchors.join(","),
      },
    });
    caller = await life.caller("Acme", "live");
  });
  after(async () => {
    await life.close();
    await world.stop();
  });

  it("is reported, though the operator's resolver does not validate", async () => {
    const bogus = await connect(caller, "bogus.example");
    const answer = await verify(caller, bogus.id);
    assert.equal(answer.status, 409);
    assert.equal(errorDetails(answer)?.["reason"], "dnssec_bogus");
    assert.equal((await get(caller, bogus.id)).json()["error_code"], "dnssec_bogus");
    const signed = await connect(caller, "signed.example");
    assert.equal(errorDetails(await verify(caller, signed.id))?.["reason"], null);
    assert.equal((await get(caller, signed.id)).json()["error_code"], "txt_mismatch");
  });
});
