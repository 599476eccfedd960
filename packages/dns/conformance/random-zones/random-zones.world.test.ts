import { describe } from "node:test";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { rfc2136 } from "../../src/providers/rfc2136/provider.ts";
import { startDynamicServer } from "../servers/dynamic-server.ts";
import { prove, withoutApexNs } from "./prove.ts";
import { startRelay } from "./relay.ts";

const runs = proofSize(20, 10_000);
// The most time goes into waiting for programs that read and fill the zones.
const servers = proofSize(1, 5);

describe("random zones under faults", { timeout: 6 * 3_600_000 }, () => {
  prove(
    "rfc2136 at a real server",
    runs,
    async () => {
      const server = await startDynamicServer("bind");
      const relay = await startRelay();
      const close = async () => {
        await relay.stop();
        await server.stop();
      };
      const backend = withoutApexNs(await server.backend());
      return { adapter: rfc2136, backend, relay, close };
    },
    servers,
  );
});
