import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { LedgerReport } from "./webhook-ledger.ts";

/** A receiver of webhooks that keeps a ledger. */
export interface LedgerProcess {
  readonly url: string;
  /** From now on signatures must fit this secret. */
  trust(secret: string): Promise<void>;
  report(): Promise<LedgerReport>;
  close(): Promise<void>;
}

const main = path.join(import.meta.dirname, "ledger-main.ts");

/**
 * In a process of its own, as receivers are: what a test does besides must not keep a sender waiting
 * for an answer that in life would have been there.
 */
export async function startLedger(): Promise<LedgerProcess> {
  const child = fork(main, { execArgv: [], serialization: "advanced" });
  const ended = once(child, "exit");
  const heard = async (): Promise<unknown> => {
    const over = ended.then(() => {
      throw new Error("the ledger ended by itself");
    });
    const [message]: unknown[] = await Promise.race([once(child, "message"), over]);
    return message;
  };
  const ask = (message: string): Promise<unknown> => {
    const answer = heard();
    child.send(message);
    return answer;
  };
  const url = String(await heard());
  return {
    url,
    async trust(secret) {
      await ask(secret);
    },
    report: async () => (await ask("report")) as LedgerReport,
    async close() {
      child.kill();
      await ended;
    },
  };
}
