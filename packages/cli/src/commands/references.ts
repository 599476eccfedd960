import type { Mooring } from "@mooring/sdk";
import { processEnvironment } from "../config.ts";
import { CommandFailure, usageFailure } from "./explain.ts";
import { textOrNull } from "./input.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The id of an application that is given by id or name. Without a reference: MOORING_APP, else the
 * only application, else the one called Default.
 */
export async function applicationId(client: Mooring, reference: unknown): Promise<string> {
  const requested = textOrNull(reference) ?? textOrNull(processEnvironment()["MOORING_APP"]);
  if (requested !== null && uuid.test(requested)) return requested;
  const all = await client.applications.list({ limit: 100 }).toArray();
  const named = all.filter(({ name }) => name === (requested ?? "Default"));
  const [found, ...others] = requested === null && all.length === 1 ? all : named;
  if (found && others.length === 0) return found.id;
  const names = all.map(({ id, name }) => `  ${id}  ${name}`);
  if (found)
    throw usageFailure(`several applications are called ${found.name}: give an id`, ...names);
  if (requested === null) throw usageFailure("say which application with --app", ...names);
  throw new CommandFailure(`there is no application called ${requested}`, {
    code: "not_found",
    hints: names.length > 0 ? ["there are:", ...names] : [],
  });
}

/** The id of a connection that is given by id or hostname; a hostname prefers the active one. */
export async function connectionId(client: Mooring, reference = ""): Promise<string> {
  if (uuid.test(reference)) return reference;
  const all = await client.connections.list({ hostname: reference, limit: 100 }).toArray();
  const active = all.filter(({ state }) => state !== "archived");
  if (active.length > 1) {
    const ids = active.map(
      ({ id, application_id, state }) => `  ${id}  ${state}  ${application_id}`,
    );
    throw usageFailure(`${reference} has several connections: give an id`, ...ids);
  }
  const found = active[0] ?? all[0];
  if (found) return found.id;
  throw new CommandFailure(`there is no connection for ${reference}`, {
    code: "not_found",
    hints: ["`mooring connections list` shows those that this key sees"],
  });
}
