import { parentPort, workerData } from "node:worker_threads";
import { startPostgres } from "./server.ts";

/** The thread of `startPostgresInThread`. It answers whether the server was running already. */
const { adopted } = await startPostgres({ dataDir: workerData, log: { info: () => undefined } });
parentPort?.postMessage(adopted);
