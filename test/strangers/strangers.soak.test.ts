import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recordPromise } from "@mooring/testing/processes/soak";
import { ensureSoakPackages } from "../../scripts/test/system-packages.ts";
import { firefoxCases } from "./firefox.ts";
import type { Fronts } from "./fronts.ts";
import { grpcCases } from "./grpc-cases.ts";
import { heavyCases } from "./heavy-cases.ts";
import { heavyClients, lightClients, runGrpcMatrix, runMatrix } from "./matrix.ts";
import { scannerCases } from "./scanners.ts";
import {
  formatTable,
  isOdd,
  isOddAccelerated,
  type Row,
  runCases,
  storedTable,
  withFronts,
} from "./table.ts";

describe("Go, Java, Firefox, gRPC, scanners and attackers", () => {
  it("see through the edge what they see through Caddy and nginx", async (context) => {
    await ensureSoakPackages();
    const cases = [...(await heavyCases()), ...firefoxCases, ...grpcCases, ...scannerCases];
    const rows = await withFronts((fronts) => runCases(cases, fronts), { hasGrpc: true });
    context.diagnostic(formatTable(rows));
    assert.deepEqual(
      rows.filter((row) => isOdd(row) !== row.isDivergence || row.ours.includes("failed")),
      [],
    );
    assert.deepEqual(rows.filter(isOddAccelerated), []);
    assert.equal(formatTable(rows).trim(), storedTable("heavy").trim());
  });
});

describe("the same requests by every client", () => {
  it("end as they do through Caddy and nginx, at least 60 each", async (context) => {
    await ensureSoakPackages();
    const clients = [...(await lightClients()), ...(await heavyClients())];
    const counts = new Map<string, number>();
    const odd: Row[] = [];
    const note = (rows: readonly Row[]): void => {
      const client = rows[0]?.client ?? "";
      assert.ok(rows.length >= 60, `${client}: ${rows.length}`);
      const failed = rows.filter(({ ours }) => ours.startsWith("failed")).length;
      context.diagnostic(`${client}: ${rows.length} cases, ${failed} failed through ours`);
      counts.set(client, rows.length);
      odd.push(...rows.filter((row) => isOdd(row) || isOddAccelerated(row)));
    };
    const run = async (fronts: Fronts): Promise<void> => {
      for (const client of clients) note(await runMatrix(client, fronts));
      note(await runGrpcMatrix(fronts));
    };
    await withFronts(run, { hasGrpc: true });
    assert.deepEqual(odd, []);
    const sizes = [...counts].map(([client, count]) => `${client}: ${count}`).join("; ");
    recordPromise("G32", sizes, "no case in which ours alone differs");
  });
});
