import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import {
  clientFor,
  type DomainConnectKey,
  isOwnState,
  keyUse,
  newState,
  nextLabel,
} from "./domain-connect.ts";

const key = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);

describe("a state", () => {
  it("is accepted by the key that made it, also after a rotation", () => {
    const state = newState(key);
    assert.ok(isOwnState([key], state));
    assert.ok(isOwnState([other, key], state));
    assert.ok(!isOwnState([other], state));
    assert.notEqual(newState(key), state);
    assert.match(state, /^[A-Za-z0-9_-]{64}$/);
  });

  it("has one spelling: any change, addition or omission is refused", () => {
    const state = newState(key);
    const change = fc.record({
      at: fc.nat(state.length),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.string({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(change, ({ at, cut, put }) => {
        const changed = state.slice(0, at) + put + state.slice(at + cut);
        assert.equal(isOwnState([key], changed), changed === state);
      }),
      { numRuns: propertyRuns(20_000) },
    );
    assert.ok(!isOwnState([key], ""));
    assert.ok(!isOwnState([key], `${state}=`));
  });
});

function made(label: string, times: Partial<DomainConnectKey> = {}): DomainConnectKey {
  const at = new Date(0);
  return {
    id: label,
    label,
    domain: "mooring.example",
    publicKey: "",
    sealed: "",
    createdAt: at,
    activatedAt: at,
    retiredAt: null,
    ...times,
  };
}

describe("the keys", () => {
  it("sign one at a time: the newest that is active and not retired", () => {
    const at = new Date(0);
    const keys = [
      made("_dck4", { activatedAt: null }),
      made("_dck3", { retiredAt: at }),
      made("_dck2"),
      made("_dck1"),
    ];
    assert.deepEqual(
      keys.map((one) => keyUse(one, keys)),
      ["waiting", "retired", "signing", "superseded"],
    );
  });

  it("never share a label, not even with a retired key", () => {
    assert.equal(nextLabel([]), "_dck1");
    assert.equal(nextLabel([{ label: "_dck9" }, { label: "_dck10" }]), "_dck11");
  });
});

it("a client is used only at the API that it was configured for, when the flow is offered", () => {
  const client = {
    providerId: "dns.example",
    urlAPI: "https://api.dns.example",
    clientId: "id",
    clientSecret: "secret",
  };
  const settings = { ...client, urlAsyncUX: "https://consent.dns.example" };
  assert.equal(clientFor([client], settings), client);
  assert.equal(clientFor([client], { ...settings, urlAsyncUX: null }), null);
  assert.equal(clientFor([client], { ...settings, providerId: "Dns.example" }), null);
  assert.equal(clientFor([client], { ...settings, urlAPI: "https://api.evil.example" }), null);
});
