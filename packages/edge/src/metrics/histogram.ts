import { Histogram, type Registry } from "prom-client";

/** Upper bounds in seconds: from a cached answer on the same machine to a long poll. */
export const secondsBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** How often something took how long, as plain numbers: they change with every request. */
export class TimeCounts {
  readonly #counts = new Array<number>(secondsBounds.length + 1).fill(0);
  #sum = 0;

  observe(ms: number): void {
    const seconds = ms / 1_000;
    let index = 0;
    while (index < secondsBounds.length && seconds > (secondsBounds[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += seconds;
  }

  get sum(): number {
    return this.#sum;
  }

  /** The number of times up to each bound, and of all of them last. */
  cumulative(): number[] {
    let total = 0;
    return this.#counts.map((count) => {
      total += count;
      return total;
    });
  }
}

type Labels = Readonly<Record<string, string>>;
type LabelledTimes = readonly (readonly [labels: Labels, times: TimeCounts])[];

/** One line of the text format. `get` merges both kinds of labels. */
interface Sample {
  readonly metricName: string;
  readonly labels: { le?: string | number };
  readonly sharedLabels: Labels;
  readonly value: number;
}

/** A histogram whose counts are read on collection instead of being observed one by one. */
export class CollectedHistogram extends Histogram {
  readonly #about: { readonly name: string; readonly help: string };
  readonly #read: () => LabelledTimes;

  constructor(options: {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly string[];
    readonly registry: Registry;
    readonly read: () => LabelledTimes;
  }) {
    const { name, help, labelNames, registry, read } = options;
    const buckets = [...secondsBounds];
    super({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });
    this.#about = { name, help };
    this.#read = read;
  }

  /** What the library takes its values from, for the text format and for other processes. */
  async getForPromString() {
    const { name } = this.#about;
    const values = this.#read().flatMap(([labels, times]) => samples(name, labels, times));
    return { ...this.#about, type: "histogram", aggregator: "sum", values };
  }
}

function samples(name: string, sharedLabels: Labels, times: TimeCounts): Sample[] {
  const counts = times.cumulative();
  const total = counts.at(-1) ?? 0;
  const bounds = [...secondsBounds, "+Inf"];
  const buckets = bounds.map((le, index) => ({
    metricName: `${name}_bucket`,
    labels: { le },
    sharedLabels,
    value: counts[index] ?? total,
  }));
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: times.sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: total },
  ];
}
