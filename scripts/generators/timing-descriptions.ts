/** How long what is logged is stored. */
export const retentions = [
  "EVENTS_RETENTION",
  "DELIVERIES_RETENTION",
  "TIMELINE_RETENTION",
  "AUDIT_RETENTION",
  "DNS_WRITES_RETENTION",
  "ARCHIVED_CONNECTIONS_AFTER",
] as const;

/** Variables whose values are durations. */
export const durations: ReadonlySet<string> = new Set([
  "RECHECK_INTERVAL",
  "RECHECK_INTERVAL_STABLE",
  ...retentions,
  "STALL_AFTER",
  "GIVE_UP_AFTER",
  "CONTEST_AFTER",
  "EDGE_DRAIN",
  "EDGE_DRAIN_DELAY",
]);

/** When things happen to a connection, and how long logs are stored. */
export const timingDescriptions = {
  EDGE_DRAIN: {
    meaning:
      "How long a stopping edge completes its requests; WebSockets and event streams end with it.",
  },
  EDGE_DRAIN_DELAY: {
    meaning:
      "How long a stopping edge still accepts connections after `/healthz` says 503, so that balancers see it first.",
  },
  RECHECK_INTERVAL: { meaning: "How often a live domain is checked that is new or has trouble." },
  STALL_AFTER: { meaning: "The time without its records after which a connection is `stalled`." },
  GIVE_UP_AFTER: { meaning: "The time after which a phase ends in `failed`." },
  CONTEST_AFTER: {
    meaning:
      "How long the holder of a hostname that somebody else has proven has to prove it again. See [contests](contests.md).",
  },
  RECHECK_INTERVAL_STABLE: {
    meaning:
      "How often a domain is checked that has been live without trouble for 30 days; until then the interval grows from `RECHECK_INTERVAL` to this.",
    fallback: "six times `RECHECK_INTERVAL`",
  },
  RDAP: {
    meaning:
      "`off`: registries are not asked about domains, and every `registration` is null. See [registrations](registrations.md).",
    fallback: "`on` with `NODE_ENV=production`, else `off`",
  },
  RDAP_RATE: {
    meaning: "Questions a second to one registry, of all workers together; at least 0.01.",
  },
  EVENTS_RETENTION: { meaning: "How long events are stored, and can be listed and replayed." },
  DELIVERIES_RETENTION: { meaning: "How long the log of deliveries is stored." },
  TIMELINE_RETENTION: { meaning: "How long entries of a connection's timeline are stored." },
  AUDIT_RETENTION: { meaning: "How long entries of the audit log are stored." },
  DNS_WRITES_RETENTION: {
    meaning:
      "How long writes to customers' zones are stored once their connection is archived, and sizes of zones that nobody reads.",
  },
  ARCHIVED_CONNECTIONS_AFTER: {
    meaning:
      "How long an archived connection stays in the table of the others, at least `24h`; then it moves to `archived_connections`, and is shown as before. `0s`: it stays for ever. See [archived connections](scale.md#archived-connections).",
  },
} as const;
