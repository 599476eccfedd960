export { type Clock, type DatabaseClock, startDatabaseClock } from "./clock.ts";
export { copyIn, copyOut } from "./copy.ts";
export { dropUnresponsive } from "./drop-unresponsive.ts";
export { inTransaction } from "./in-transaction.ts";
export {
  type DueRows,
  type LeaseLoop,
  type LeaseLoopSpec,
  type Parking,
  type RunningRow,
  runLeaseLoop,
} from "./lease-loop.ts";
export { type Listener, listen } from "./notifications/listen.ts";
export { createNotifier, type Notifier } from "./notifications/notifier.ts";
export { connectPrimary } from "./primary.ts";
export { type Repeating, repeatEvery } from "./repeat-every.ts";
export { assertConfined } from "./role.ts";
export { parseServers } from "./servers.ts";
export { openSessions } from "./session.ts";
