import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./errors.ts";

/**
 * Which process of a machine writes the hosts: the one that has locked the newest lock file. The
 * number of that file is its term. A process that ends gives its lock back, however it ends. One
 * that stands still keeps it; when it has given no sign of life for some seconds, another begins
 * the next term, and the one before may write nothing more.
 */
export interface WriterLock {
  /** Whether this process writes, from now on until `unlock`, its end, or a later term. */
  tryLock(): boolean;
  unlock(): void;
  /** Of this process, as long as it has the lock; 0 without. */
  term(): number;
  /** How often this process has begun a term because the one before gave no sign of life. */
  takeovers(): number;
  /** The sign of life; a process that is about to do long work gives it for as long. */
  beat(forMs?: number): void;
  /** Whether a later term has begun. */
  isEnded(): boolean;
  /** Removes the files of earlier terms. */
  clean(): void;
}

/**
 * Calls of `tryLock` without a sign of life after which the next term begins: they come twice a
 * second.
 */
const silentTries = 6;
/** A sign of life further ahead is of a clock that was set back. */
const aheadMostMs = 120_000;

const lockFile = /^writer-(\d+)\.lock(?:-journal)?$/;

export function createWriterLock(folder: string): WriterLock {
  let lock: { readonly database: DatabaseSync; readonly term: number } | null = null;
  let takeovers = 0;
  let lastSign = "";
  let silent = 0;
  const filePath = (term: number): string => path.join(folder, `writer-${term}.lock`);
  const parseTerm = (name: string): number => Number(lockFile.exec(name)?.[1] ?? 0);
  const newest = (): number => Math.max(1, ...readdirSync(folder).map(parseTerm));

  /** An open transaction: the system ends it with the process. */
  function take(term: number): boolean {
    const database = new DatabaseSync(filePath(term), { timeout: 0 });
    try {
      database.exec("begin exclusive");
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw error;
      return false;
    }
    // Others may have gone on to the next one in between.
    if (newest() > term) {
      database.close();
      return false;
    }
    lock = { database, term };
    beat();
    return true;
  }

  function beat(forMs = 0): void {
    if (lock === null) return;
    const at = new Date(Date.now() + forMs);
    utimesSync(filePath(lock.term), at, at);
  }

  /** Counted in calls and not by a clock: a machine that slept was not silent. */
  function isSilent(term: number): boolean {
    const { mtimeMs } = statSync(filePath(term));
    const [sign, aheadMs] = [`${term} ${mtimeMs}`, mtimeMs - Date.now()];
    const isAhead = aheadMs > 0 && aheadMs < aheadMostMs;
    silent = sign === lastSign && !isAhead ? silent + 1 : 0;
    lastSign = sign;
    return silent >= silentTries;
  }

  return {
    tryLock() {
      if (lock !== null) return true;
      const term = newest();
      if (take(term)) return true;
      if (!isSilent(term) || !take(term + 1)) return false;
      takeovers += 1;
      return true;
    },
    unlock() {
      lock?.database.close();
      lock = null;
    },
    term: () => lock?.term ?? 0,
    takeovers: () => takeovers,
    beat,
    isEnded: () => lock !== null && newest() > lock.term,
    clean() {
      const own = lock?.term ?? 0;
      for (const name of readdirSync(folder)) {
        const term = parseTerm(name);
        if (term > 0 && term < own) rmSync(path.join(folder, name), { force: true });
      }
    },
  };
}
