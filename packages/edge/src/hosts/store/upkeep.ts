import { setTimeout as delay, setImmediate as tick } from "node:timers/promises";
import { createNameFilter, type NameFilter } from "@mooring/dns/lookup";
import type { Change, HostStore } from "./host-store.ts";

/** Rows at a time; the event loop runs in between. */
const rowsAtOnce = 2_000;
/** Room for names that are added before the filter has to be made again. */
const roomForMore = 1.5;

/** A filter of all names in the store, and the change up to which it has them. */
export async function makeFilter(
  store: HostStore,
): Promise<{ readonly filter: NameFilter; readonly sequence: number }> {
  for (;;) {
    const { sequence, hosts } = store.state();
    const filter = createNameFilter(Math.ceil(hosts * roomForMore));
    await addAll(filter, store);
    const since = store.changesAfter(sequence);
    for (const { kind, name } of since ?? []) if (kind === "added") filter.add(name);
    if (since !== null) return { filter, sequence: since.at(-1)?.sequence ?? sequence };
  }
}

async function addAll(filter: NameFilter, store: HostStore): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const names = store.namesAfter(after, rowsAtOnce);
    for (const name of names) filter.add(name);
    after = names.at(-1);
    await tick();
  }
}

/** Removes what was not read in the round that has ended. */
export async function removeUnread(
  store: HostStore,
  write: (changes: readonly Change[]) => void,
): Promise<void> {
  for (let after = ""; ; ) {
    const page = store.unreadAfter(after, rowsAtOnce);
    if (page === null) break;
    if (page.names.length > 0) write(page.names.map((hostname) => ({ hostname, host: null })));
    after = page.last;
    await tick();
  }
  const ids = store.unreadApplications();
  if (ids.length > 0) write(ids.map((applicationId) => ({ applicationId, application: null })));
}

const checkedAtOnce = 500;
const checkPauseMs = 20;

/**
 * Compares all rows with their checksums, slowly. It fails with `DamagedStore` at the first that
 * differs.
 */
export async function checkRows(
  store: HostStore,
  isIn: (hostname: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && store.check(checkedAtOnce, isIn)) {
    await delay(checkPauseMs, undefined, { ref: false });
  }
}
