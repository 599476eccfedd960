import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
import { type NameFilter, readNameFilter } from "@mooring/dns/lookup";
import type { StoredApplication } from "../application.ts";
import type { Host } from "../host.ts";
import { hostLine, readEpoch, readHostLine } from "../host-line.ts";
import { isBusy, isDamage, isFailure, TakenOverStore, UnwritableStore } from "./errors.ts";
import {
  applicationRow,
  checkedValue,
  createRow,
  DamagedStore,
  readApplicationRow,
  type StoredRow,
} from "./rows.ts";
import { prepareStatements, type Statements, schema, storeVersion } from "./schema.ts";

/** What is known of the whole store. */
export interface StoreState {
  /** The number of the last change. */
  readonly sequence: number;
  readonly hosts: number;
  /** The checksums of all hosts, by XOR: a row that is missing is found by it. */
  readonly sum: number;
  /** The number of the last reading of everything; rows have that in which they were read. */
  readonly round: number;
  /** Grows when the filter is made again. */
  readonly filter: number;
  /** The last change that is in the stored filter. */
  readonly filterSequence: number;
  /** Whether everything has been read once. */
  readonly isWhole: boolean;
  /** Whether the hosts have not been confirmed for so long that they are not served. */
  readonly isExpired: boolean;
  /** When it was last equal to what the feed has. */
  readonly asOf: string | null;
  /** Where the feed continues; null where it begins again. */
  readonly place: string | null;
  /** The term of the process that writes: one of an earlier term writes nothing. */
  readonly writer: number;
}

export type StoreSettings = Partial<
  Pick<StoreState, "round" | "isWhole" | "isExpired" | "asOf" | "place">
>;

/**
 * A host, also as its line, or an application as it is now; null for one that is no longer there.
 */
export type Change =
  | { readonly hostname: string; readonly host: Host | null }
  | { readonly hostname: string; readonly line: string }
  | { readonly applicationId: string; readonly application: StoredApplication | null };

/** `released` also for a name that was claimed again. */
export interface LoggedChange {
  readonly sequence: number;
  readonly kind: "added" | "changed" | "released" | "application";
  readonly name: string;
}

/**
 * Changes in the log before the filter was stored; a process that is further behind reads
 * everything again.
 */
const retainedChanges = 10_000;
/** A second connection writes only for a moment. */
const busyMs = 2_000;

const emptyState: StoreState = {
  sequence: 0,
  hosts: 0,
  sum: 0,
  round: 0,
  filter: 0,
  filterSequence: 0,
  isWhole: false,
  isExpired: false,
  asOf: null,
  place: null,
  writer: 0,
};

type Draft = { -readonly [Key in keyof StoreState]: StoreState[Key] };

/**
 * Hosts and applications in one SQLite file, or in memory. One process writes, in transactions;
 * others read what is committed. Every value has a checksum, which is compared on each read.
 */
export class HostStore {
  readonly isOnDisk: boolean;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  /** A pass over all rows, for `check`; what is written behind it counts, too. */
  #pass: { after: string; hosts: number; sum: number } | null = null;
  /** Of this process when it writes. */
  #term = 0;
  #stateText = "";
  #state = emptyState;

  private constructor(database: DatabaseSync, isOnDisk: boolean) {
    this.#database = database;
    this.isOnDisk = isOnDisk;
    this.#statements = prepareStatements(database);
  }

  /** A new one; until `finish` a crash destroys it. No file means in memory. */
  static create(file: string | null, term = 0, pagesMost: number | null = null): HostStore {
    try {
      const database = new DatabaseSync(file ?? ":memory:", { timeout: busyMs });
      // Undone in memory: after a crash it is not used.
      database.exec(`pragma journal_mode = memory; pragma synchronous = off; ${schema}`);
      if (pagesMost !== null) database.exec(`pragma max_page_count = ${pagesMost}`);
      const store = new HostStore(database, file !== null);
      store.#term = term;
      store.#transaction((draft) => {
        draft.writer = term;
      });
      return store;
    } catch (error) {
      throw isFailure(error) ? new UnwritableStore("not created", { cause: error }) : error;
    }
  }

  /** One that `finish` has made durable. It fails with `DamagedStore` where it cannot be used. */
  static open(file: string): HostStore {
    const url = pathToFileURL(file);
    // Not created where it is absent.
    url.searchParams.set("mode", "rw");
    const database = new DatabaseSync(url, { timeout: busyMs });
    try {
      const version = database.prepare("pragma user_version").get();
      if (version?.["user_version"] !== storeVersion) throw new DamagedStore("another version");
      database.exec(ofWriter);
      const store = new HostStore(database, true);
      store.state();
      store.filter();
      return store;
    } catch (error) {
      database.close();
      throw error instanceof DamagedStore || !isDamage(error)
        ? error
        : new DamagedStore("not opened", { cause: error });
    }
  }

  /**
   * From now on this process writes, and none of an earlier term. False where such a one is in the
   * middle of a write: it may continue at any time, so that the store cannot be used.
   */
  takeOver(term: number): boolean {
    this.#database.exec("pragma busy_timeout = 0");
    try {
      this.#term = term;
      this.#transaction((draft) => {
        draft.writer = term;
      });
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    } finally {
      this.#database.exec(`pragma busy_timeout = ${busyMs}`);
    }
  }

  /** Makes a new store durable, so that other processes can read it while this one writes. */
  finish(): void {
    if (!this.isOnDisk) return;
    this.#guarded(() => {
      this.#database.exec("pragma journal_mode = wal; pragma synchronous = full");
      this.write([]);
      this.#database.exec(`pragma wal_checkpoint(truncate); ${ofWriter}`);
    });
  }

  state(): StoreState {
    return this.#guarded(() => {
      const row = this.#statements.state.get();
      if (row === undefined) return emptyState;
      if (row["value"] === this.#stateText) return this.#state;
      const text = checkedValue(stored("state", row));
      this.#state = JSON.parse(text) as StoreState;
      this.#stateText = text;
      return this.#state;
    });
  }

  host(hostname: string): Host | null {
    return this.#guarded(() => {
      const row = this.#statements.host.get(hostname);
      if (row === undefined) return null;
      return readHostLine({ hostname, line: checkedValue(stored(hostname, row)) });
    });
  }

  application(id: string): StoredApplication | null {
    return this.#guarded(() => {
      const row = this.#statements.application.get(id);
      return row === undefined ? null : readApplicationRow(stored(id, row));
    });
  }

  /** The filter as it was at a change; null where none is stored. */
  filter(): { readonly filter: NameFilter; readonly sequence: number } | null {
    return this.#guarded(() => {
      const row = this.#statements.filter.get();
      if (row === undefined) return null;
      const bytes = row["bytes"] as Uint8Array;
      if (crc32(bytes) !== row["checksum"]) throw new DamagedStore("the filter");
      return { filter: readNameFilter(bytes), sequence: Number(row["sequence"]) };
    });
  }

  /** The changes after that one; null where the log does not reach back so far. */
  changesAfter(sequence: number): readonly LoggedChange[] | null {
    return this.#guarded(() => {
      const rows = this.#statements.changes.all(sequence) as unknown as readonly LoggedChange[];
      const isWithoutGap = rows[0] === undefined || rows[0].sequence === sequence + 1;
      return isWithoutGap && sequence + rows.length >= this.state().sequence ? rows : null;
    });
  }

  /** Names in order. */
  namesAfter(name: string, most: number): readonly string[] {
    return this.#guarded(() =>
      this.#statements.names.all(name, most).map((row) => String(row["hostname"])),
    );
  }

  /**
   * Names in order, of the given number of rows, that were not read in this round; null after the
   * last row.
   */
  unreadAfter(name: string, most: number): { names: readonly string[]; last: string } | null {
    return this.#guarded(() => {
      const rows = this.#statements.rounds.all(name, most);
      const { round } = this.state();
      const names = rows.filter((row) => row["round"] !== round).map((row) => row["hostname"]);
      const last = rows.at(-1)?.["hostname"];
      return last === undefined ? null : { names: names.map(String), last: String(last) };
    });
  }

  unreadApplications(): readonly string[] {
    return this.#guarded(() =>
      this.#statements.oldApplications.all(this.state().round).map((row) => String(row["id"])),
    );
  }

  /**
   * Compares the next rows with their checksums; false after the last one. `isIn` is asked for each
   * name.
   */
  check(most: number, isIn: (name: string) => boolean): boolean {
    return this.#guarded(() => {
      this.#pass ??= { after: "", hosts: 0, sum: 0 };
      const pass = this.#pass;
      const rows = this.#statements.rows.all(pass.after, most);
      for (const row of rows) {
        const hostname = String(row["hostname"]);
        const one = stored(hostname, row);
        checkedValue(one);
        if (!isIn(hostname)) throw new DamagedStore(`the filter does not have ${hostname}`);
        pass.after = hostname;
        pass.hosts += 1;
        pass.sum ^= one.checksum;
      }
      if (rows.length === most) return true;
      const { hosts, sum, writer } = this.state();
      // What another process has written was not counted.
      if (writer !== this.#term) return false;
      if (pass.hosts !== hosts || pass.sum !== sum) throw new DamagedStore("rows are missing");
      this.#pass = null;
      return false;
    });
  }

  /** All of it or nothing. Only changes are logged, so that everything may be written twice. */
  write(changes: readonly Change[], settings: StoreSettings = {}): void {
    this.#transaction((draft) => {
      for (const change of changes) {
        if ("line" in change) this.#putHost(draft, change.hostname, change.line);
        else if ("applicationId" in change) {
          this.#putApplication(draft, change.applicationId, change.application);
        } else if (change.host === null) this.#removeHost(draft, change.hostname);
        else this.#putHost(draft, change.hostname, hostLine(change.host));
      }
      Object.assign(draft, settings);
    });
  }

  /**
   * The filter has all names up to that change; older changes are not needed by anybody who is not
   * far behind.
   */
  saveFilter(filter: NameFilter, sequence: number, isNew: boolean): void {
    const bytes = filter.toBytes();
    this.#transaction((draft) => {
      this.#statements.saveFilter.run(sequence, bytes, crc32(bytes));
      this.#statements.trim.run(sequence - retainedChanges);
      draft.filterSequence = sequence;
      if (isNew) draft.filter += 1;
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #putHost(draft: Draft, hostname: string, line: string): void {
    const { value, checksum } = createRow(hostname, line);
    const { insertHost, host: select, updateHost, touchHost } = this.#statements;
    if (Number(insertHost.run(hostname, value, checksum, draft.round).changes) === 1) {
      this.#count(draft, hostname, 1, checksum);
      this.#log(draft, "added", hostname);
      return;
    }
    const row = select.get(hostname) ?? {};
    if (row["value"] === value && row["checksum"] === checksum) {
      if (row["round"] !== draft.round) touchHost.run(draft.round, hostname);
      return;
    }
    const before = stored(hostname, row);
    const isSameClaim = readEpoch(checkedValue(before)) === readEpoch(line);
    updateHost.run(value, checksum, draft.round, hostname);
    this.#count(draft, hostname, 0, before.checksum ^ checksum);
    this.#log(draft, isSameClaim ? "changed" : "released", hostname);
  }

  #removeHost(draft: Draft, hostname: string): void {
    const row = this.#statements.host.get(hostname);
    if (row === undefined) return;
    this.#statements.deleteHost.run(hostname);
    this.#count(draft, hostname, -1, stored(hostname, row).checksum);
    this.#log(draft, "released", hostname);
  }

  #count(draft: Draft, hostname: string, more: number, checksum: number): void {
    for (const total of [draft, this.#pass]) {
      if (total === null || (total === this.#pass && hostname > this.#pass.after)) continue;
      total.hosts += more;
      total.sum ^= checksum;
    }
  }

  #putApplication(draft: Draft, id: string, application: StoredApplication | null): void {
    const row = this.#statements.application.get(id);
    if (application === null) {
      if (row === undefined) return;
      this.#statements.deleteApplication.run(id);
    } else {
      const { value, checksum } = applicationRow(application);
      this.#statements.putApplication.run(id, value, checksum, draft.round);
      if (row?.["value"] === value) return;
    }
    this.#log(draft, "application", id);
  }

  /** What nobody can have read yet needs no log. */
  #log(draft: Draft, kind: LoggedChange["kind"], name: string): void {
    if (!draft.isWhole) return;
    draft.sequence += 1;
    this.#statements.log.run(draft.sequence, kind, name);
  }

  #transaction(work: (draft: Draft) => void): void {
    this.#guarded(() => {
      try {
        this.#database.exec("begin immediate");
        const draft: Draft = { ...this.state() };
        if (draft.writer > this.#term) throw new TakenOverStore("another process writes the hosts");
        work(draft);
        const { value, checksum } = createRow("state", JSON.stringify(draft));
        this.#statements.saveState.run(value, checksum);
        this.#database.exec("commit");
      } catch (error) {
        this.#pass = null;
        if (this.#database.isTransaction) this.#database.exec("rollback");
        throw isFailure(error) ? new UnwritableStore("not written", { cause: error }) : error;
      }
    });
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw isDamage(error) ? new DamagedStore("not read", { cause: error }) : error;
    }
  }
}

/**
 * A commit reaches the disk with the next checkpoint: after a power cut the store is older, and
 * whole.
 */
const ofWriter =
  "pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -8192";

function stored(key: string, row: Readonly<Record<string, unknown>>): StoredRow {
  return { key, value: String(row["value"]), checksum: Number(row["checksum"]) };
}
