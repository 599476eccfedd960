import { createGuard } from "@mooring/egress";
import { startTestEdge } from "@mooring/testing/edge/test-edge";

/** An edge with a healthy tenant and ten whose origins have silent name servers. */
const [nameServer = "", originPort = "", silentNames = ""] = process.argv.slice(2);
const edge = await startTestEdge({
  originGuard: createGuard({ allowPrivate: true, nameServers: [nameServer] }),
});
edge.hosts.set("healthy.example", {
  tenantId: "healthy",
  originUrl: `http://origin.alive.example:${originPort}`,
});
// One certificate for all: making one for each name would be the larger part of the load.
const context = await edge.certificates.makeContext("healthy.example");
edge.certificates.answer = async () => context;
for (let index = 0; index < Number(silentNames); index += 1) {
  edge.hosts.set(`s${index}.example`, {
    tenantId: `silent ${index % 10}`,
    originUrl: `http://n${index}.silent.example:${originPort}`,
  });
}
console.log(`listening on ${edge.httpsPort}`);
process.once("SIGTERM", () => process.exit(0));
