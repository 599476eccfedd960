import { ensureSoakPackages, ensureSystemPackages } from "../../scripts/test/system-packages.ts";
import { chromiumCases } from "./browser.ts";
import { lightCases } from "./cases.ts";
import { firefoxCases } from "./firefox.ts";
import { grpcCases } from "./grpc-cases.ts";
import { frameRows } from "./h2/cases.ts";
import { heavyCases } from "./heavy-cases.ts";
import { scannerCases } from "./scanners.ts";
import { runCases, withFronts, writePage } from "./table.ts";

/** Writes the page of what all clients see. */
await ensureSystemPackages();
await ensureSoakPackages();
const heavy = await heavyCases();
await withFronts(
  async (fronts) => {
    writePage({
      light: await runCases([...lightCases, ...chromiumCases], fronts),
      frames: await runCases(frameRows, fronts, 8),
      heavy: await runCases([...heavy, ...firefoxCases, ...grpcCases, ...scannerCases], fronts),
    });
  },
  { hasGrpc: true },
);
