import { readFileSync } from "node:fs";
import { z } from "zod";
import { builtInPlans, type Plan } from "../domain/billing/plan.ts";
import type { DomainConnectClient } from "../domain/domain-connect/domain-connect.ts";
import { type Config, ConfigError } from "./config.ts";

const limit = z.int().min(0).nullable();
const Plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9_-]{1,64}$/),
      name: z.string().min(1).max(100),
      limits: z.strictObject({
        connect: limit,
        active_domain: limit,
        cert: limit,
        api_call: limit,
      }),
      price_cents: z.int().min(0),
    }),
  )
  .min(1);

/** The plans on offer: PLANS_FILE, or those built in. DEFAULT_PLAN must be one of them. */
export function loadPlans(config: Config): readonly Plan[] {
  const file = config.plansFile;
  const plans = file === null ? builtInPlans : readJsonFile("PLANS_FILE", file, Plans);
  const ids = plans.map((plan) => plan.id);
  if (new Set(ids).size < ids.length) throw new ConfigError(["PLANS_FILE: a plan id occurs twice"]);
  if (!ids.includes(config.defaultPlan)) {
    throw new ConfigError([`DEFAULT_PLAN: ${config.defaultPlan} is not one of ${ids.join(", ")}`]);
  }
  return plans;
}

const text = z.string().min(1).max(2_048);
const Clients = z.array(
  z.strictObject({
    provider_id: text,
    url_api: z
      .url({ protocol: /^https$/, error: "expected an https URL" })
      .transform((url) => url.replace(/\/+$/, "")),
    client_id: text,
    client_secret: text,
  }),
);

/** The DNS providers that have given this installation a client for their asynchronous flow. */
export function loadDomainConnectClients(
  config: Pick<Config, "domainConnectClientsFile">,
): readonly DomainConnectClient[] {
  const file = config.domainConnectClientsFile;
  if (file === null) return [];
  const clients = readJsonFile("DOMAIN_CONNECT_CLIENTS_FILE", file, Clients);
  const ids = clients.map(({ provider_id: id }) => id);
  if (new Set(ids).size < ids.length) {
    throw problem("DOMAIN_CONNECT_CLIENTS_FILE", file, "a provider_id occurs twice");
  }
  return clients.map((client) => ({
    providerId: client.provider_id,
    urlAPI: client.url_api,
    clientId: client.client_id,
    clientSecret: client.client_secret,
  }));
}

/** Every problem of the files that the configuration names. */
export function examineFiles(config: Config): readonly string[] {
  return [loadPlans, loadDomainConnectClients].flatMap((load) => {
    try {
      load(config);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  });
}

/**
 * A JSON file that a variable names. A problem names the path in the file and never the value:
 * the file may hold secrets, which must not reach a message.
 */
function readJsonFile<T extends z.ZodType>(variable: string, file: string, schema: T): z.output<T> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw problem(variable, file, error instanceof SyntaxError ? "is not JSON" : "cannot be read");
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw problem(variable, file, issues.join("; "));
}

function problem(variable: string, file: string, what: string): ConfigError {
  return new ConfigError([`${variable}: ${file}: ${what}`]);
}
