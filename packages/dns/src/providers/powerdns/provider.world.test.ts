import { existsSync } from "node:fs";
import { after, before, describe } from "node:test";
import {
  type PowerdnsServer,
  startPowerdnsServer,
} from "../../../conformance/servers/powerdns-server.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { powerdns } from "./provider.ts";

const missing = existsSync("/usr/sbin/pdns_server") ? false : "pdns-server is not installed";
const obedient = "a real server does not fail on request; the simulator does";

describe("against a real PowerDNS", { skip: missing }, () => {
  let server: PowerdnsServer | null = null;
  before(async () => {
    server = await startPowerdnsServer();
  });
  after(() => server?.stop());

  runConformance(powerdns, {
    simulator: () =>
      server === null ? Promise.reject(new Error("not started")) : server.backend(),
    skippedSince: "2026-11-15",
    skip: [
      "waits as long as the provider asks, then retries",
      "hands a long wait to the caller instead of waiting",
      "gives up on persistent throttling as rate_limited",
      "reads on after one server error and reports persistent ones as unavailable",
      "takes an answer that is cut short for no answer",
      "gives up on a provider that does not answer",
      "stops at once when it is cancelled, and writes nothing",
    ].map((test) => ({ test, reason: obedient })),
  });
});
