import { z } from "zod";
import { count, databaseUrls, duration, list, optional, port } from "./values.ts";

const server = z
  .string()
  .refine(
    isServer,
    "expected nats://host:port or tls://host:port, with user:password@ or token@ if needed",
  );

/** Where edges get hosts, certificates and keys from. */
export const feedVariables = {
  EDGE_FEED: { field: "edgeFeed", type: z.enum(["postgres", "nats"]).default("postgres") },
  /** A standby of the server that `DATABASE_URL` names, for what edges read. */
  DATABASE_REPLICA_URL: { field: "databaseReplicaUrl", type: optional(databaseUrls()) },
  DATABASE_REPLICA_MAX_LAG: { field: "databaseReplicaMaxLagMs", type: duration().default(10_000) },
  NATS_URL: { field: "natsUrls", type: list(server).default([]) },
  /** As NATS account tools write it: a JWT and an nkey seed. */
  NATS_CREDENTIALS_FILE: { field: "natsCredentialsFile", type: optional(z.string()) },
  NATS_CA_FILE: { field: "natsCaFile", type: optional(z.string()) },
  NATS_CERTIFICATE_FILE: { field: "natsCertificateFile", type: optional(z.string()) },
  NATS_KEY_FILE: { field: "natsKeyFile", type: optional(z.string()) },
  ISSUER_INTERNAL_PORT: { field: "issuerInternalPort", type: optional(port()) },
  NATS_REPLICAS: { field: "natsReplicas", type: count(1, 5).default(1) },
} as const;

export function feedProblems(values: {
  readonly edgeFeed: "postgres" | "nats";
  readonly natsUrls: readonly string[];
  readonly natsCertificateFile: string | null;
  readonly natsKeyFile: string | null;
}): string[] {
  const problems: string[] = [];
  if (values.edgeFeed === "nats" && values.natsUrls.length === 0) {
    problems.push("NATS_URL: required when EDGE_FEED=nats");
  }
  if ((values.natsCertificateFile === null) !== (values.natsKeyFile === null)) {
    problems.push("NATS_KEY_FILE: NATS_CERTIFICATE_FILE and NATS_KEY_FILE go together");
  }
  return problems;
}

function isServer(text: string): boolean {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  return parsed !== null && ["nats:", "tls:"].includes(parsed.protocol) && parsed.hostname !== "";
}
