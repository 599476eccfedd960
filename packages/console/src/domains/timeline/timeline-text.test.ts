import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TimelineEntry } from "@mooring/sdk";
import { entryActor, entryDetails, entryTitle } from "./timeline-text.ts";

function entry(part: Partial<TimelineEntry>): TimelineEntry {
  return {
    id: "1",
    kind: "check",
    from_state: null,
    to_state: null,
    error_code: null,
    actor: null,
    details: {},
    plan: null,
    created_at: "2026-01-01T00:00:00Z",
    ...part,
  };
}

function delivery(details: object): Partial<TimelineEntry> {
  return { kind: "delivery", details: { event: "domain.drift", ...details } };
}

describe("entryTitle", () => {
  const titles: readonly [string, Partial<TimelineEntry>][] = [
    ["Created", { kind: "state", to_state: "created" }],
    ["Live", { kind: "state", from_state: "live", to_state: "live" }],
    ["Propagating → Live", { kind: "state", from_state: "propagating", to_state: "live" }],
    ["Check", { kind: "check" }],
    ["DNS write", { kind: "write" }],
    ["DNS write: undone", { kind: "write", details: { outcome: "undone" } }],
    ["Webhook domain.drift", { kind: "delivery", details: { event: "domain.drift" } }],
    ["Webhook domain.drift: delivered", delivery({ status: "delivered" })],
    [
      "Webhook domain.drift: failed, is sent again",
      delivery({ status: "failed", status_code: 503, next_attempt_at: "2026-01-01T00:00:05Z" }),
    ],
    ["Webhook domain.drift: given up", delivery({ status: "exhausted" })],
    ["Settings changed", { kind: "action", details: { action: "connection.update" } }],
    ["Certificate retry", { kind: "action", details: { action: "connection.certificate_retry" } }],
    ["Certificate: issued", { kind: "certificate", details: { outcome: "issued" } }],
    [
      "Certificate: obtained by somebody else",
      { kind: "certificate", details: { outcome: "foreign", issuer: "CN=Another" } },
    ],
    ["Certificate: key replaced", { kind: "certificate", details: { action: "key_replaced" } }],
    ["Certificate: in trouble", { kind: "certificate", error_code: "dns_timeout" }],
    ["Certificate: no longer in trouble", { kind: "certificate" }],
  ];
  for (const [title, part] of titles) {
    it(`says "${title}"`, () => assert.equal(entryTitle(entry(part)), title));
  }
});

describe("entryDetails", () => {
  it("says the error first, then the facts that the title does not say", () => {
    const details = { outcome: "failed", write_id: "w", attempts: 3, ca: "letsencrypt" };
    const text = entryDetails(entry({ error_code: "dns_timeout", details }));
    assert.equal(text, "DNS timeout · Attempts: 3 · CA: letsencrypt");
  });

  it("says what the CA said, in its own words", () => {
    const said = { type: "urn:ietf:params:acme:error:caa", detail: "CAA forbids <b>it</b>" };
    const text = entryDetails(
      entry({ error_code: "certificate_failed", details: { ca_error: said } }),
    );
    assert.equal(text, "Certificate failed · The CA said: CAA forbids <b>it</b> (caa)");
  });

  it("lists the names of a certificate of somebody else", () => {
    const details = { outcome: "foreign", serial: "0a", names: ["a.example", "*.b.example"] };
    const text = entryDetails(entry({ kind: "certificate", details }));
    assert.equal(text, "Serial: 0a · Names: a.example, *.b.example");
  });

  it("lists what was changed", () => {
    const details = { action: "connection.update", changed: ["edge", "origin_url"] };
    assert.equal(entryDetails(entry({ details })), "Changed: edge, origin_url");
  });

  it("is empty when there is nothing more to say", () => {
    assert.equal(entryDetails(entry({ details: { action: "connection.check" } })), "");
  });
});

describe("entryActor", () => {
  it("is a person's name, else the kind of caller", () => {
    const actor = { kind: "member", id: "m", name: "Ada" } as const;
    assert.equal(entryActor(entry({ actor })), "Ada");
    assert.equal(entryActor(entry({ actor: { ...actor, name: null } })), "A member");
    const service = { kind: "system", id: null, name: null } as const;
    assert.equal(entryActor(entry({ actor: service })), "The service");
    const worker = { ...service, name: "worker" };
    assert.equal(entryActor(entry({ actor: worker })), "The service");
    assert.equal(entryActor(entry({})), null);
    assert.equal(entryActor(entry({ kind: "visit", actor: service })), null, "who reports it");
  });
});
