import path from "node:path";
import { z } from "zod";

/** The edge's own reader of the environment. A bad value stops the start, one line per problem. */
const port = z
  .string()
  .regex(/^\d{1,5}$/, "expected a port number")
  .transform(Number);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1");

const schema = z.object({
  DATA_DIR: z.string().default("./.data"),
  PORT: port.default(8080),
  INTERNAL_PORT: port.optional(),
  ASK_URL: z.url().optional(),
  EDGE_HTTP_PORT: port.default(8081),
  EDGE_HTTPS_PORT: port.default(8443),
  EDGE_HOST: z.string().default("127.0.0.1"),
  EDGE_INTERNAL_PORT: port.optional(),
  EDGE_CNAME: z.string().default("edge.localhost"),
  EDGE_IPV4: list.default(["127.0.0.1"]),
  EDGE_IPV6: list.default([]),
  DNS_RESOLVERS: list.default([]),
  DNS_AUTHORITATIVE_PORT: port.default(53),
  ACME_DIRECTORY_URL: list.default([]),
  ACME_CA_FILE: z.string().optional(),
  ACME_EMAIL: z.string().optional(),
  ACME_EAB_KID: z.string().optional(),
  ACME_EAB_KEY: z.string().optional(),
  ORIGIN_ALLOW_PRIVATE: flag.default(false),
  EGRESS_ALLOW: list.default([]),
});

export interface EdgeConfig extends Readonly<z.infer<typeof schema>> {
  readonly ASK_URL: string;
}

export function readEdgeConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): EdgeConfig {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => (env[key] ? [[key, env[key]]] : [])),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`configuration:\n${lines.join("\n")}`);
  }
  const values = parsed.data;
  const askPort = values.INTERNAL_PORT ?? values.PORT;
  return Object.freeze({
    ...values,
    DATA_DIR: path.resolve(values.DATA_DIR),
    ASK_URL: values.ASK_URL ?? `http://127.0.0.1:${askPort}/internal/ask`,
  });
}
