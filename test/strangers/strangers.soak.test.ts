import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ensureSoakPackages } from "../../scripts/test/system-packages.ts";
import { firefoxCases } from "./firefox.ts";
import { grpcCases } from "./grpc-cases.ts";
import { heavyCases } from "./heavy-cases.ts";
import { scannerCases } from "./scanners.ts";
import { formatTable, isOdd, runCases, storedTable, withFronts } from "./table.ts";

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
    assert.equal(formatTable(rows).trim(), storedTable("heavy").trim());
  });
});
