import type { Clock } from "@mooring/postgres";
import type { Log } from "../../config/settings.ts";
import { createHostView, type HostView } from "../view/host-view.ts";
import { TakenOverStore, UnwritableStore } from "./errors.ts";
import { openStoreFolder, type StoreFolder } from "./folder.ts";
import { type Change, HostStore, type StoreSettings, type StoreState } from "./host-store.ts";
import { DamagedStore } from "./rows.ts";
import { checkRows, makeFilter, removeUnread } from "./upkeep.ts";

export interface HostNodeParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether hosts are not served when they are too old, or only once `expire` says so. */
  readonly endsByAge: boolean;
  /** This process writes from now on, or to a new store that has to be filled. */
  readonly onWriting: () => void;
  /** For tests: the size at which the disk is full, in pages of 4 KiB. */
  readonly pagesMost?: number;
}

/** How long hosts are served without confirmation by the feed. */
export const hostsMaxAgeMs = 24 * 3_600_000;

const tickMs = 100;
/**
 * Between two attempts to become the writer, and two checks whether another store is current; in
 * ticks.
 */
const ticksPerCheck = 5;
/** The longest that a new store takes to reach the disk, without a sign of life. */
const finishMs = 60_000;
/** A process that was notified of a change waits for the one that writes it. */
const soonMs = 20;
const soonForMs = 1_000;
/** Changes after which the filter is stored again. */
const changesPerFilter = 10_000;

/**
 * The known hosts of a machine as one of its processes has them. All serve from one store on disk.
 * One of them, the first that got the lock, follows the feed and writes; when it ends or stands
 * still, another continues. One that stood still finds the other's term in the store, writes
 * nothing, and reads from then on. A store that is damaged is set aside and filled again, and
 * served as far as its rows are right until then. Where the disk cannot be written each process has
 * a store of its own, in memory.
 */
export class HostNode {
  readonly view: HostView;
  readonly #parts: HostNodeParts;
  #folder: StoreFolder | null = null;
  #isWriter = false;
  /** The store that is served, and its number in the folder. */
  #store: HostStore | null = null;
  #number = 0;
  /** The store that is filled, by the writer. */
  #draft: HostStore | null = null;
  #draftNumber = 0;
  #publishing: Promise<void> | null = null;
  /** The store that everything is being written to, or has been. */
  #round: { readonly store: HostStore; readonly isFirst: boolean } | null = null;
  #isStoring = false;
  #isDamageReported = false;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #ticks = 0;
  #soonUntil = 0;

  constructor(parts: HostNodeParts) {
    this.#parts = parts;
    this.view = createHostView({
      onFailure: (error) => this.#readFailed(error),
      isTooOld: (asOf) => parts.endsByAge && this.#isPast(asOf),
    });
  }

  /**
   * Serves what is there, and writes if no other process does. Without a directory hosts are in
   * memory only.
   */
  open(directory: string | null): void {
    try {
      if (directory === null) this.#useMemory();
      else this.#folder = openStoreFolder(directory);
    } catch (error) {
      this.#giveUpDisk(error);
    }
    this.#check();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  isWriter(): boolean {
    return this.#isWriter;
  }

  isInMemory(): boolean {
    return this.#isWriter && this.#folder === null;
  }

  /** How often this process has gone on for one that stood still. */
  takeovers(): number {
    return this.#folder?.takeovers() ?? 0;
  }

  /** Of the store that is written, or served by a process that does not write. */
  state(): StoreState | null {
    return this.#target()?.state() ?? null;
  }

  hasApplication(id: string): boolean {
    return (this.#target()?.application(id) ?? null) !== null;
  }

  /** All processes see it, at the latest after a tick. */
  write(changes: readonly Change[], settings: StoreSettings = {}): void {
    const target = this.#target();
    if (target === null || !this.#isWriter) throw new Error("another process writes the hosts");
    this.#tried(() => target.write(changes, settings));
    if (target !== this.#store) return;
    this.view.refresh();
    this.#storeFilter(target);
  }

  /** Everything is going to be written once more. */
  beginRound(): void {
    const store = this.#target();
    const { round = 0, hosts = 0 } = store?.state() ?? {};
    this.write([], { round: round + 1, place: null });
    this.#round = store && { store, isFirst: hosts === 0 };
  }

  /**
   * Everything has been written: the rest is no longer there. It fails where another store has been
   * begun.
   */
  async endRound(): Promise<void> {
    const round = this.#round;
    if (round === null || round.store !== this.#target()) throw new Error("the store was replaced");
    if (!round.isFirst) await removeUnread(round.store, (changes) => this.write(changes));
  }

  /** The hosts are those of the feed at that time. A new store is served from now on. */
  async confirm(asOf: Date, position: string | null): Promise<void> {
    if (this.#draft !== null && this.#round?.store !== this.#draft) {
      throw new Error("the store was replaced");
    }
    const settings = { asOf: asOf.toISOString(), place: position, isExpired: false, isWhole: true };
    this.write([], settings);
    if (this.#draft === null) return;
    this.#publishing ??= this.#publish(this.#draft).finally(() => {
      this.#publishing = null;
    });
    await this.#publishing;
  }

  /** Whether the hosts were confirmed too long ago. */
  isTooOld(): boolean {
    const state = this.state();
    return state !== null && this.#isOld(state);
  }

  /** No host is served until the next confirmation, if the last one is too old. */
  expire(): void {
    const store = this.#store;
    if (!this.#isWriter || store === null || store.state().isExpired) return;
    if (!this.#isOld(store.state())) return;
    this.#tried(() => store.write([], { isExpired: true }));
    this.view.refresh();
  }

  /** The feed has reported a change: the process that writes will have it in a moment. */
  expectChange(): void {
    const isWaiting = this.#soonUntil > performance.now();
    this.#soonUntil = performance.now() + soonForMs;
    if (!isWaiting) this.#refreshSoon();
  }

  close(): void {
    this.#stopping.abort();
    if (this.#timer) clearInterval(this.#timer);
    for (const store of [this.#store, this.#draft]) store?.close();
    this.#folder?.unlock();
  }

  #isOld({ asOf }: StoreState): boolean {
    return asOf !== null && this.#isPast(Date.parse(asOf));
  }

  #isPast(asOf: number): boolean {
    return this.#parts.clock.now().getTime() - asOf > hostsMaxAgeMs;
  }

  #target(): HostStore | null {
    return this.#draft ?? this.#store;
  }

  #refreshSoon(): void {
    if (this.#stopping.signal.aborted || performance.now() > this.#soonUntil) return;
    this.view.refresh();
    setTimeout(() => this.#refreshSoon(), soonMs).unref();
  }

  #tick(): void {
    this.#ticks += 1;
    if (!this.#isWriter) this.view.refresh();
    if (this.#ticks % ticksPerCheck === 0) this.#check();
  }

  #check(): void {
    try {
      if (!this.#isWriter) this.#follow();
      else if (this.#folder?.isEnded() === true) this.#stepDown();
      else if (this.#folder !== null) this.#keepWriting(this.#folder);
    } catch (error) {
      // The others have been dealt with.
      const isDone = [DamagedStore, UnwritableStore, TakenOverStore].some(
        (known) => error instanceof known,
      );
      if (!isDone) this.#giveUpDisk(error);
    }
  }

  #keepWriting(folder: StoreFolder): void {
    folder.beat();
    if (this.#draft !== null) return;
    if (folder.reportedDamage() === this.#number) {
      this.#replace(new DamagedStore("reported by another process"));
    }
    // One that stood still may have published its own in its last moment.
    else if (folder.current() !== this.#number) folder.publish(this.#number);
  }

  /** Another process writes: this one has stood still. */
  #stepDown(): void {
    if (!this.#isWriter) return;
    this.#isWriter = false;
    this.#parts.log.warn(
      { term: this.#folder?.term() },
      "host store is written by another process",
    );
    this.#folder?.unlock();
    this.#draft?.close();
    this.#draft = null;
    this.#round = null;
    this.view.refresh();
  }

  #follow(): void {
    const folder = this.#folder;
    const number = folder?.current() ?? null;
    try {
      if (folder !== null && number !== null) this.#serve(folder, number);
    } catch (error) {
      // Unless it has just been replaced.
      if (folder?.current() === number) this.#readFailed(error, number);
    }
    const before = folder?.takeovers();
    if (folder?.tryLock() !== true) return;
    if (folder.takeovers() !== before) {
      this.#parts.log.warn(
        { term: folder.term() },
        "host store taken over from a process that stands still",
      );
    }
    this.#startWriting(folder);
  }

  #serve(folder: StoreFolder, number: number): void {
    if (number === this.#number) return;
    const store = HostStore.open(folder.filePath(number));
    this.#store?.close();
    this.#store = store;
    this.#number = number;
    this.#isDamageReported = false;
    this.view.use(store);
  }

  #startWriting(folder: StoreFolder): void {
    this.#isWriter = true;
    // The one before may have published another store in between.
    const number = folder.current();
    let isDamaged = number !== null && folder.reportedDamage() === number;
    try {
      if (number !== null) this.#serve(folder, number);
    } catch (error) {
      isDamaged = true;
      this.#parts.log.error({ err: error, store: number }, "host store is damaged and set aside");
      folder.setAside(number ?? 0);
    }
    folder.clean();
    if (this.#store === null || isDamaged || !this.#takeOver(this.#store)) this.#startDraft();
    else this.#checkRows(this.#store);
    this.expire();
    this.#parts.onWriting();
  }

  #takeOver(store: HostStore): boolean {
    return this.#tried(() => store.takeOver(this.#folder?.term() ?? 0));
  }

  #startDraft(): void {
    if (this.#folder === null) {
      this.#draft = HostStore.create(null);
      return;
    }
    this.#draftNumber = this.#folder.next();
    const file = this.#folder.filePath(this.#draftNumber);
    try {
      this.#draft = HostStore.create(file, this.#folder.term(), this.#parts.pagesMost ?? null);
    } catch (error) {
      this.#giveUpDisk(error);
    }
  }

  #useMemory(): void {
    this.#isWriter = true;
    this.#startDraft();
  }

  /** What is on disk is served until everything has been read into memory. */
  #giveUpDisk(error: unknown): void {
    this.#parts.log.error({ err: error }, "host store not written, hosts are held in memory");
    this.#folder?.unlock();
    this.#folder = null;
    this.#draft?.close();
    this.#useMemory();
    this.#parts.onWriting();
  }

  #replace(error: unknown): void {
    this.#parts.log.error(
      { err: error, store: this.#number },
      "host store is damaged and set aside",
    );
    this.#draft?.close();
    this.#draft = null;
    this.#startDraft();
    this.#parts.onWriting();
  }

  #tried<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof TakenOverStore) this.#stepDown();
      else if (error instanceof DamagedStore) this.#replace(error);
      else if (error instanceof UnwritableStore && this.#folder !== null) this.#giveUpDisk(error);
      throw error;
    }
  }

  #readFailed(error: unknown, number: number | null = this.#number): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#isWriter) {
      if (this.#draft === null && this.#store !== null) this.#replace(error);
      return;
    }
    if (this.#isDamageReported) return;
    this.#isDamageReported = true;
    this.#parts.log.error({ err: error }, "host store not read");
    this.#folder?.reportDamage(number ?? 0);
  }

  async #publish(made: HostStore): Promise<void> {
    const { filter, sequence } = await makeFilter(made);
    // It may have been given up in the meantime.
    if (made !== this.#draft || this.#stopping.signal.aborted) return;
    this.#tried(() => {
      made.saveFilter(filter, sequence, true);
      this.#folder?.beat(finishMs);
      made.finish();
      this.#folder?.beat();
      this.#folder?.publish(this.#draftNumber);
    });
    const [before, number] = [this.#store, this.#number];
    this.#store = made;
    this.#draft = null;
    this.#number = this.#draftNumber;
    this.view.use(made);
    before?.close();
    if (before?.isOnDisk === true) this.#folder?.setAside(number);
    this.#folder?.clean();
  }

  /** Without it a process that starts would have to read all names. */
  #storeFilter(store: HostStore): void {
    const filter = this.view.filter();
    if (this.#isStoring || filter === null) return;
    const { hosts, sequence, filterSequence } = store.state();
    if (hosts > filter.capacity) void this.#rebuildFilter(store);
    else if (sequence - filterSequence >= changesPerFilter) {
      this.#tried(() => store.saveFilter(filter, sequence, false));
    }
  }

  async #rebuildFilter(store: HostStore): Promise<void> {
    this.#isStoring = true;
    try {
      const { filter, sequence } = await makeFilter(store);
      if (store !== this.#store || this.#stopping.signal.aborted) return;
      this.#tried(() => store.saveFilter(filter, sequence, true));
      this.view.refresh();
    } catch (error) {
      this.#parts.log.warn({ err: error }, "filter of the hosts not rebuilt");
    } finally {
      this.#isStoring = false;
    }
  }

  #checkRows(store: HostStore): void {
    const isIn = (name: string): boolean => this.view.filter()?.mayHave(name) ?? true;
    checkRows(store, isIn, this.#stopping.signal).catch((error: unknown) => {
      if (store === this.#store) this.#readFailed(error);
    });
  }
}
