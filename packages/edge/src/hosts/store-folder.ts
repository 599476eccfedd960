import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UnwritableStore } from "./store-errors.ts";

/**
 * The stores of one machine, in a folder. Each has a number of its own and one is current. Its files are never
 * replaced, because other processes have them open: a new store gets the next number.
 */
export interface StoreFolder {
  /** The number of the store that all processes use; null before the first. */
  current(): number | null;
  fileOf(number: number): string;
  /** A number that no store has had. */
  next(): number;
  /** All processes use it from now on. It fails with `UnwritableStore`. */
  publish(number: number): void;
  /** Takes the store out of use, for a person to inspect: the last one stays. */
  setAside(number: number): void;
  /** Removes all files but those of the current store and of one set aside. Only while none is made. */
  clean(): void;
  /** Reports to the process that writes that a store is damaged, if that is possible. */
  reportDamage(number: number): void;
  /** The number of the store that is reported as damaged; null for none. */
  reportedDamage(): number | null;
  /** Whether this process is the one that writes, from now on until `unlock` or its end. */
  tryLock(): boolean;
  unlock(): void;
}

const extensions = ["", "-wal", "-shm", "-journal"] as const;
/** The copies of earlier releases, which were written and read whole. */
const replacedFiles = [
  ...["known-hosts-2.jsonl", "known-hosts-as-of", "known-hosts.jsonl"],
  ...["hosts.jsonl", "hosts-as-of"],
];

export function openStoreFolder(directory: string): StoreFolder {
  const folder = path.join(directory, "known-hosts");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => path.join(folder, name);
  const fileOf = (number: number): string => at(`${number}.sqlite`);
  const lock = createLock(at("writer.lock"));

  const numberIn = (name: string): number | null => {
    const text = existsSync(at(name)) ? readFileSync(at(name), "utf8") : "";
    return /^[1-9]\d*$/.test(text) ? Number(text) : null;
  };
  const current = (): number | null => numberIn("current");
  const remove = (name: string): void => rmSync(at(name), { force: true });

  return {
    current,
    fileOf,
    next() {
      const used = readdirSync(folder).map((name) => Number(/^(\d+)\./.exec(name)?.[1] ?? 0));
      return Math.max(0, current() ?? 0, ...used) + 1;
    },
    publish(number) {
      try {
        const draft = at(`current.${process.pid}`);
        writeFileSync(draft, String(number), { mode: 0o600, flush: true });
        renameSync(draft, at("current"));
        for (const name of replacedFiles) rmSync(path.join(directory, name), { force: true });
      } catch (error) {
        throw new UnwritableStore("not published", { cause: error });
      }
    },
    setAside(number) {
      for (const extension of extensions) {
        const file = fileOf(number) + extension;
        if (existsSync(file)) renameSync(file, at(`damaged.sqlite${extension}`));
        else remove(`damaged.sqlite${extension}`);
      }
      remove("damage-reported");
    },
    clean() {
      const used = current();
      for (const name of readdirSync(folder)) {
        const number = /^(\d+)\.sqlite/.exec(name)?.[1];
        const isDraft = name.startsWith("current.");
        if (isDraft || (number !== undefined && Number(number) !== used)) remove(name);
      }
    },
    reportDamage(number) {
      try {
        writeFileSync(at("damage-reported"), String(number));
      } catch {
        // The process that writes comes across it by itself: it checks all rows when it starts.
      }
    },
    reportedDamage: () => numberIn("damage-reported"),
    ...lock,
  };
}

/** An open transaction: the system ends it with the process, however that ends. */
function createLock(file: string): Pick<StoreFolder, "tryLock" | "unlock"> {
  let held: DatabaseSync | null = null;
  return {
    tryLock() {
      if (held !== null) return true;
      const database = new DatabaseSync(file, { timeout: 0 });
      try {
        database.exec("begin exclusive");
        held = database;
      } catch (error) {
        database.close();
        if (!isBusy(error)) throw error;
      }
      return held !== null;
    },
    unlock() {
      held?.close();
      held = null;
    },
  };
}

const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}
