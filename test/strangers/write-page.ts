import { ensureSoakPackages, ensureSystemPackages } from "../../scripts/system-packages.ts";
import { chromiumCases } from "./browser.ts";
import { lightCases } from "./cases.ts";
import { heavyCases } from "./heavy-cases.ts";
import { runCases, withFronts, writePage } from "./table.ts";

/** Writes the page of what all clients see. */
await ensureSystemPackages();
await ensureSoakPackages();
const heavy = await heavyCases();
await withFronts(async (fronts) => {
  writePage(
    await runCases([...lightCases, ...chromiumCases], fronts),
    await runCases(heavy, fronts),
  );
});
