import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, it } from "node:test";
import { recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import { openDnsTarget } from "./dns/open.ts";
import { openEdgeTarget } from "./edge/open.ts";
import { openProvidersTarget } from "./providers/open.ts";
import { openReceiversTarget } from "./receivers/open.ts";
import { describeFailure, runTarget } from "./run-target.ts";
import { storedInputs } from "./stored-inputs.ts";
import type { OpenTarget } from "./target.ts";

const minutes = 60;

/** The edge has two: its inputs are handshakes and requests by halves. */
const hours: readonly { readonly name: string; readonly about: string; open: OpenTarget }[] = [
  { name: "edge", about: "TLS", open: openEdgeTarget },
  { name: "edge", about: "HTTP", open: openEdgeTarget },
  { name: "dns", about: "answers of DNS servers", open: openDnsTarget },
  { name: "receivers", about: "answers of webhook receivers", open: openReceiversTarget },
  { name: "providers", about: "answers of DNS providers", open: openProvidersTarget },
];

/** A round is a minute on a fresh target, so that an interrupted hour continues. */
describe("an hour of generated input for each parser", () => {
  let ended = 0;
  let sum = 0;
  for (const { name, about, open } of hours) {
    it(`ends no process and rejects nothing unhandled: ${about}`, async (t) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on("unhandledRejection", note);
      t.after(() => process.off("unhandledRejection", note));
      const counts = await soakRounds(`fuzz-${about.replaceAll(" ", "-")}`, minutes, async () => {
        const target = await open();
        try {
          const hasEnded = (_count: number, elapsedMs: number) => elapsedMs >= 60_000;
          const stored = storedInputs(name);
          const seed = randomInt(2 ** 31);
          const { count, failure } = await runTarget(target, { seed, hasEnded, stored });
          if (failure !== null) assert.fail(describeFailure(name, failure));
          return count;
        } finally {
          await target.close();
        }
      });
      assert.deepEqual(unhandled, []);
      const count = counts.reduce((all, one) => all + one, 0);
      t.diagnostic(`${count} inputs`);
      ended += 1;
      sum += count;
      if (ended < hours.length) return;
      const size = `an hour each of ${hours.map((one) => one.about).join(", ")}`;
      recordPromise("G21", size, `${sum} inputs, 0 exits, 0 unhandled rejections`);
    });
  }
});
