import { benchAccelerator } from "./accelerator.ts";
import { benchApi } from "./api.ts";
import { benchAsk } from "./ask.ts";
import { benchConsole } from "./console.ts";
import { benchCt } from "./ct.ts";
import { benchDns } from "./dns.ts";
import { benchEdge } from "./edge.ts";
import { benchFairness } from "./fairness.ts";
import { benchFlood } from "./flood.ts";
import { benchHosts } from "./hosts.ts";
import { benchHttp1 } from "./http1.ts";
import { benchLive } from "./live.ts";
import { benchNameServer } from "./name-server.ts";
import { benchRecheck } from "./recheck.ts";
import { benchScale } from "./scale.ts";
import { benchSilentOrigin } from "./silent-origin.ts";
import { benchSimulateFleet } from "./simulate-fleet.ts";
import { printMachine } from "./support/report.ts";
import { benchTraffic } from "./traffic.ts";
import { benchTransfers } from "./transfers.ts";
import { benchWebhooks } from "./webhooks.ts";

/** `npm run bench -- NAME [size]`, with a name of this table; every bench ends by itself. */
const benches: Readonly<Record<string, (size: number | null) => Promise<void>>> = {
  accelerator: benchAccelerator,
  api: benchApi,
  ask: benchAsk,
  console: benchConsole,
  ct: benchCt,
  dns: benchDns,
  edge: benchEdge,
  fairness: benchFairness,
  flood: benchFlood,
  hosts: benchHosts,
  http1: benchHttp1,
  live: benchLive,
  "name-server": benchNameServer,
  recheck: benchRecheck,
  scale: benchScale,
  "silent-origin": benchSilentOrigin,
  "simulate-fleet": benchSimulateFleet,
  traffic: benchTraffic,
  transfers: benchTransfers,
  webhooks: benchWebhooks,
};

const [name = "", size] = process.argv.slice(2);
const bench = benches[name];
if (bench) {
  printMachine();
  await bench(size === undefined ? null : Number(size));
} else {
  console.error(`npm run bench -- ${Object.keys(benches).join("|")} [rows]`);
  process.exitCode = 2;
}
