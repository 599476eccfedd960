import { startHello } from "../packages/control/test/support/hello-server.ts";

process.send?.({ url: await startHello() });
process.once("disconnect", () => process.exit(0));
