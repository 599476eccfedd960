/** What the local product runs of the command line: the supervisor over a prepared database. */
export { type ExitCode, exitCode } from "./action.ts";
export { type Environment, isWatched, processEnvironment } from "./config.ts";
export { CommandError, reportFailure } from "./operator/failure.ts";
export type { LocalDetails } from "./operator/serve/banner.ts";
export { requestedPorts } from "./operator/serve/processes.ts";
export { type LocalParts, type ServeAllOptions, serveAll } from "./operator/serve/serve-all.ts";
export { createOutput, type Output } from "./output.ts";
export { requireFreePorts } from "./ports.ts";
export { type EndRequest, listenForEnd } from "./process-control.ts";
export { runProcesses, type Supervisor, type SupervisorOptions } from "./supervisor.ts";
