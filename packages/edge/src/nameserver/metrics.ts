import type { NameServerStats } from "@mooring/dns/lookup";
import { Counter, Gauge, Registry } from "prom-client";

/** The metrics of one name server process. */
export function createNameServerRegistry(stats: NameServerStats, names: () => number): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Counter({
    name: "mooring_dns_answers_total",
    help: "Answers of the name server of the validation zone, by transport",
    labelNames: ["transport"],
    registers,
    collect() {
      this.reset();
      for (const transport of ["udp", "tcp"] as const) {
        this.inc({ transport }, stats.answers[transport]);
      }
    },
  });
  new Counter({
    name: "mooring_dns_dropped_total",
    help: "Packets to the name server without an answer: no queries, or over the rate of their network",
    registers,
    collect() {
      this.reset();
      this.inc(stats.dropped);
    },
  });
  new Counter({
    name: "mooring_dns_malformed_total",
    help: "Packets to the name server that could not be read",
    registers,
    collect() {
      this.reset();
      this.inc(stats.malformed);
    },
  });
  new Gauge({
    name: "mooring_dns_names",
    help: "Names in the validation zone: those of held claims",
    registers,
    collect() {
      this.set(names());
    },
  });
  return registry;
}
