const feedVariables = [
  "EDGE_FEED",
  "DATABASE_REPLICA_URL",
  "DATABASE_REPLICA_MAX_LAG",
  "NATS_URL",
  "NATS_CREDENTIALS_FILE",
  "NATS_CA_FILE",
  "NATS_CERTIFICATE_FILE",
  "NATS_KEY_FILE",
  "NATS_REPLICAS",
  "ISSUER_INTERNAL_PORT",
] as const;

export const feedDescriptions = {
  EDGE_FEED: {
    meaning:
      "Where an edge gets hosts, certificates and keys from: `postgres`, or `nats`. With `nats` it needs `NATS_URL`, `SECRET_KEY` or `SECRET_KEY_EDGE`, and no database.",
  },
  DATABASE_REPLICA_URL: {
    meaning:
      "A streaming [replica](scale.md#replica) of PostgreSQL, from which edges read hosts and certificates. All else stays with `DATABASE_URL`, and so do these while the replica is away or too far behind.",
    fallback: "none: edges read `DATABASE_URL`",
  },
  DATABASE_REPLICA_MAX_LAG: {
    meaning: "How far the replica may be behind before edges read the primary instead.",
  },
  NATS_URL: {
    meaning:
      "Servers of a NATS cluster with JetStream, separated by commas, as `nats://host:4222` or `tls://host:4222`; with `user:password@` or `token@` in the first one.",
    fallback: "none: NATS is not used",
  },
  NATS_CREDENTIALS_FILE: {
    meaning: "A file with the JWT and the seed of a NATS user, instead of a password.",
  },
  NATS_CA_FILE: { meaning: "The CA of the NATS servers, in PEM, instead of the public ones." },
  NATS_CERTIFICATE_FILE: { meaning: "A client certificate for NATS, in PEM." },
  NATS_KEY_FILE: { meaning: "Its private key, in PEM." },
  NATS_REPLICAS: {
    meaning: "On how many NATS servers the stream is stored; 3 in a cluster of three.",
  },
  ISSUER_INTERNAL_PORT: {
    meaning: "A private port of the issuer for `/healthz` and `/metrics`.",
  },
} as const;

export const feedGroup = {
  title: "What edges read",
  about:
    "A replica can take the reads of many edges off the database. Many edges can also get their hosts and certificates from [NATS](scale.md#nats) instead of PostgreSQL. `mooring serve issuer` has both and passes them on.",
  variables: feedVariables,
} as const;
