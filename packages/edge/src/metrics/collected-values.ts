import { Counter, Gauge, type Registry } from "prom-client";

/** Of every metric of the edge. */
export const prefix = "mooring_edge_";

/** Registers a gauge that is read on collection; `aggregator` combines the values of processes. */
export function createGauges(registry: Registry) {
  return (
    name: string,
    help: string,
    read: () => number,
    aggregator: "sum" | "max" = "sum",
  ): void => {
    new Gauge({
      name: prefix + name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
}

/** Registers a counter whose total, or totals by `label`, are read on collection. */
export function createCounters(registry: Registry) {
  return (
    name: string,
    help: string,
    read: () => number | Readonly<Record<string, number>>,
    label?: string,
  ): void => {
    new Counter({
      name: prefix + name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect() {
        this.reset();
        const total = read();
        if (typeof total === "number") this.inc(total);
        else
          for (const [value, count] of Object.entries(total))
            this.inc({ [`${label}`]: value }, count);
      },
    });
  };
}
