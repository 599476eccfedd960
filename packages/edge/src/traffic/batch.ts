import { setImmediate as nextPass } from "node:timers/promises";
import type { Host } from "../hosts/host.ts";
import type { MinuteCounts } from "./counts.ts";
import { SlotTable } from "./slots.ts";

/** Who counted. */
export interface TrafficSource {
  /** The id of the process, as in its presence. */
  readonly process: string;
  /** The machine: its processes are added up. */
  readonly edge: string;
  readonly startedAt: Date;
}

/** A part of what one process counted in one minute: the argument of `report_traffic`. */
export interface TrafficBatch {
  readonly minute: number;
  readonly text: string;
}

/** A message of NATS has room for a megabyte. */
const partLength = 256 * 1_024;
/** Rows between two passes of the event loop. */
const rowsAtOnce = 500;

/**
 * The numbers of a minute as batches, each of a bounded size. Every application gets a row too, of
 * all its names together. A minute without any requests is one batch: it was not missed.
 */
export async function encodeMinute(
  minute: MinuteCounts,
  source: TrafficSource,
  { at, isLast }: { readonly at: number; readonly isLast: boolean },
): Promise<readonly TrafficBatch[]> {
  const parts = [new Part()];
  const add = (table: SlotTable, slot: number, subject: string, host: Host): void => {
    let part = parts.at(-1) as Part;
    if (part.length > partLength) {
      part = new Part();
      parts.push(part);
    }
    part.add(table, slot, subject, host);
  };
  const totals = new SlotTable(minute.names.size + minute.applications.size);
  let rows = 0;
  for (const [slot, subject, host] of minute.names.entries()) {
    totals.addSlot(totals.take(host.applicationId, host), minute.names, slot);
    add(minute.names, slot, subject, host);
    rows += 1;
    if (rows % rowsAtOnce === 0) await nextPass();
  }
  for (const [slot, subject, host] of minute.applications.entries()) {
    totals.addSlot(totals.take(subject, host), minute.applications, slot);
  }
  for (const [slot, subject, host] of totals.entries()) add(totals, slot, subject, host);
  const head = {
    ...source,
    minute: new Date(at * 60_000),
    parts: parts.length,
    isLast,
  };
  return parts.map((part, index) => ({
    minute: at,
    text: part.toText({ ...head, part: index, others: index === 0 ? minute.others : 0 }),
  }));
}

class Part {
  readonly #applications = new Map<string, number>();
  readonly #described: string[] = [];
  readonly #rows: string[] = [];
  length = 0;

  add(table: SlotTable, slot: number, subject: string, host: Host): void {
    const application = this.#describe(host);
    const numbers = table.numbers(slot).join(",");
    const row = `["${subject}",${application},${numbers},[${table.times(slot).join(",")}]]`;
    this.#rows.push(row);
    this.length += row.length + 1;
  }

  toText(head: object): string {
    const fields = JSON.stringify(head).slice(0, -1);
    const applications = this.#described.join(",");
    return `${fields},"applications":[${applications}],"rows":[${this.#rows.join(",")}]}`;
  }

  /** The number of the application in the part's list. */
  #describe({ tenantId, environment, applicationId }: Host): number {
    const known = this.#applications.get(applicationId);
    if (known !== undefined) return known;
    const index = this.#described.length;
    const text = JSON.stringify([tenantId, environment, applicationId]);
    this.#applications.set(applicationId, index);
    this.#described.push(text);
    this.length += text.length + 1;
    return index;
  }
}
