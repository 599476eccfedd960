/** What the local product runs of the command line: the supervisor over a database that is there. */
export { type Environment, isWatched, processEnvironment } from "./config.ts";
export { type EndRequest, listenForEnd } from "./end-request.ts";
export { type ExitCode, exitCode } from "./exit-code.ts";
export { requireFreePorts } from "./free-ports.ts";
export type { Surroundings } from "./operator/banner.ts";
export { reportFailure } from "./operator/failure.ts";
export { wantedPorts } from "./operator/processes.ts";
export { type LocalParts, type ServeAllOptions, serveAll } from "./operator/serve-all.ts";
export { createOutput, type Output } from "./output.ts";
export { runProcesses, type Supervisor, type SupervisorOptions } from "./supervisor.ts";
