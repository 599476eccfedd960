/** Who an entry belongs to, from the widest group to the narrowest. */
export type GroupPath = readonly string[];

/** An inner group has members by name, the narrowest one has entries in the order of arrival. */
interface Group<T> {
  readonly members: Map<string, Group<T>>;
  entries: T[];
  /** Entries before this index have been taken: removing the first of a long array is slow. */
  first: number;
  size: number;
}

function createGroup<T>(): Group<T> {
  return { members: new Map(), entries: [], first: 0, size: 0 };
}

/**
 * A queue of groups within groups. Each group takes turns with its siblings, whatever their numbers
 * of entries: one that has a thousand waits a thousand turns, one with a single entry waits one.
 */
export class FairQueue<T> {
  readonly #root = createGroup<T>();

  get size(): number {
    return this.#root.size;
  }

  push(path: GroupPath, entry: T): void {
    let group = this.#root;
    group.size += 1;
    for (const name of path) {
      let member = group.members.get(name);
      if (member === undefined) {
        member = createGroup();
        group.members.set(name, member);
      }
      group = member;
      group.size += 1;
    }
    group.entries.push(entry);
  }

  /**
   * Removes and returns the entry whose turn it is among those that may be taken; null without one.
   * Whole groups of the widest kind are skipped by `mayEnter`, which is asked first.
   */
  shift(
    mayTake: (entry: T) => boolean = () => true,
    mayEnter: (name: string) => boolean = () => true,
  ): T | null {
    return takeNext(this.#root, mayTake, mayEnter);
  }

  /** Removes and returns the last entry of the largest group; null when the queue is empty. */
  popLargest(): T | null {
    const path: Group<T>[] = [this.#root];
    for (let group = this.#root; group.members.size > 0; ) {
      group = findLargest(group);
      path.push(group);
    }
    const entry = path.at(-1)?.entries.pop() ?? null;
    if (entry !== null) for (const group of path) group.size -= 1;
    prune(this.#root);
    return entry;
  }

  /** Removes and returns all entries that match. */
  removeAll(matches: (entry: T) => boolean): T[] {
    return removeFrom(this.#root, matches);
  }
}

function takeNext<T>(
  group: Group<T>,
  mayTake: (entry: T) => boolean,
  mayEnter: (name: string) => boolean,
): T | null {
  const entry = group.entries[group.first];
  if (entry !== undefined) {
    if (!mayTake(entry)) return null;
    dropFirst(group);
    return entry;
  }
  for (const [name, member] of group.members) {
    const taken = mayEnter(name) ? takeNext(member, mayTake, () => true) : null;
    if (taken === null) continue;
    group.size -= 1;
    // To the end of the order: the siblings are next.
    group.members.delete(name);
    if (member.size > 0) group.members.set(name, member);
    return taken;
  }
  return null;
}

const compactedAt = 64;

function dropFirst<T>(group: Group<T>): void {
  group.first += 1;
  group.size -= 1;
  if (group.first < compactedAt || group.first * 2 < group.entries.length) return;
  group.entries = group.entries.slice(group.first);
  group.first = 0;
}

function findLargest<T>(group: Group<T>): Group<T> {
  let largest = group;
  for (const member of group.members.values()) {
    if (largest === group || member.size > largest.size) largest = member;
  }
  return largest;
}

function removeFrom<T>(group: Group<T>, matches: (entry: T) => boolean): T[] {
  const removed: T[] = [];
  const left: T[] = [];
  for (const entry of group.entries.slice(group.first)) {
    if (matches(entry)) removed.push(entry);
    else left.push(entry);
  }
  group.entries = left;
  group.first = 0;
  for (const member of group.members.values()) {
    for (const entry of removeFrom(member, matches)) removed.push(entry);
  }
  group.size -= removed.length;
  prune(group);
  return removed;
}

function prune<T>(group: Group<T>): void {
  for (const [name, member] of group.members) {
    if (member.size === 0) group.members.delete(name);
    else prune(member);
  }
}
