import { type ProductProcess, startProcess } from "./processes.ts";

/** Several worker processes that share a database; each can be killed and is then replaced. */
export interface WorkerFleet {
  readonly members: readonly ProductProcess[];
  /** Kills one with SIGKILL, at once, and starts another in its place. */
  killAndReplace(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startFleet(
  size: number,
  env: Readonly<Record<string, string>>,
): Promise<WorkerFleet> {
  const start = (): Promise<ProductProcess> => startProcess("worker", env);
  const members = await Promise.all(Array.from({ length: size }, start));
  return {
    members,
    async killAndReplace(index) {
      await members[index]?.signal("SIGKILL");
      members[index] = await start();
    },
    async close() {
      await Promise.all(members.map((member) => member.signal("SIGTERM")));
    },
  };
}
