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
import { TakenOverStore, UnwritableStore } from "./errors.ts";
import { createWriterLock, type WriterLock } from "./writer-lock.ts";

/**
 * The stores of one machine, in a folder. Each has a number of its own and one is current. Its
 * files are never replaced, because other processes have them open: a new store gets the next
 * number.
 */
export interface StoreFolder extends WriterLock {
  /** The number of the store that all processes use; null before the first. */
  current(): number | null;
  filePath(number: number): string;
  /** A number that no store has had. */
  next(): number;
  /** All processes use it from now on. It fails with `UnwritableStore`, or `TakenOverStore`. */
  publish(number: number): void;
  /** Takes the store out of use, for a person to inspect: the last one stays. */
  setAside(number: number): void;
  /** Reports to the process that writes that a store is damaged, if that is possible. */
  reportDamage(number: number): void;
  /** The number of the store that is reported as damaged; null for none. */
  reportedDamage(): number | null;
  /**
   * Removes all files but those of the current store, of one set aside, and of the term. Only while
   * none is made.
   */
  clean(): void;
}

const extensions = ["", "-wal", "-shm", "-journal"] as const;
/** The copies of earlier releases, which were written and read whole. */
const replacedFiles = [
  "known-hosts-2.jsonl",
  "known-hosts-as-of",
  "known-hosts.jsonl",
  "hosts.jsonl",
  "hosts-as-of",
];

export function openStoreFolder(directory: string): StoreFolder {
  const folder = path.join(directory, "known-hosts");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => path.join(folder, name);
  const filePath = (number: number): string => at(`${number}.sqlite`);
  const lock = createWriterLock(folder);

  const numberIn = (name: string): number | null => {
    const text = existsSync(at(name)) ? readFileSync(at(name), "utf8") : "";
    return /^[1-9]\d*$/.test(text) ? Number(text) : null;
  };
  const current = (): number | null => numberIn("current");
  const remove = (name: string): void => rmSync(at(name), { force: true });

  return {
    ...lock,
    current,
    filePath,
    next() {
      const used = readdirSync(folder).map((name) => Number(/^(\d+)\./.exec(name)?.[1] ?? 0));
      return Math.max(0, current() ?? 0, ...used) + 1;
    },
    publish(number) {
      if (lock.isEnded()) throw new TakenOverStore("not published");
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
      if (lock.isEnded()) return;
      for (const extension of extensions) {
        const file = filePath(number) + extension;
        if (existsSync(file)) renameSync(file, at(`damaged.sqlite${extension}`));
        else remove(`damaged.sqlite${extension}`);
      }
      remove("damage-reported");
    },
    clean() {
      if (lock.isEnded()) return;
      lock.clean();
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
  };
}
