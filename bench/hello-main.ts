import { startHello } from "@mooring/testing/control/hello-server";

process.send?.({ url: await startHello() });
process.once("disconnect", () => process.exit(0));
