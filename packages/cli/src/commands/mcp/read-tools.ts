import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  type Application,
  connectionStates,
  type ListedConnection,
  type Mooring,
} from "@mooring/sdk";
import { z } from "zod";
import { applicationId, connectionId } from "../references.ts";
import {
  type Answer,
  applicationList,
  connectionList,
  domainCheck,
  explanation,
  stuckList,
} from "./answers.ts";
import { dataReply, errorReply } from "./reply.ts";
import type { ToolContext } from "./tool-context.ts";

const readOnly = { readOnlyHint: true, destructiveHint: false, openWorldHint: true } as const;
export const connectionReference = z
  .string()
  .min(1)
  .max(255)
  .describe("The connection, by id or hostname");

/** Tools that change nothing. */
export function addReadTools(server: McpServer, { client }: ToolContext): void {
  server.registerTool(
    "check_domain",
    {
      title: "Check a domain",
      description:
        "Facts about a domain before it is connected: DNS provider, possible setup, records in conflict, DNSSEC, CAA, and warnings.",
      inputSchema: z.strictObject({
        domain: z.string().min(1).max(255).describe("A hostname such as shop.acme.com"),
        application: z
          .string()
          .optional()
          .describe("Compare with the records of this application, by id or name"),
      }),
      outputSchema: domainCheck,
      annotations: readOnly,
    },
    async ({ domain, application }) =>
      answer(domainCheck, async () =>
        client.domains.check({
          domain,
          ...(application === undefined
            ? {}
            : { application_id: await applicationId(client, application) }),
        }),
      ),
  );
  server.registerTool(
    "explain_connection",
    {
      title: "Explain a connection",
      description:
        "What is going on with a customer's domain and whose move it is: the diagnosis with its findings and fixes, the connection, and its latest events. Ask a customer for `needed_records` and for no other record.",
      inputSchema: z.strictObject({ connection: connectionReference }),
      outputSchema: explanation,
      annotations: readOnly,
    },
    async ({ connection }) => answer(explanation, () => explained(client, connection)),
  );
  addLists(server, client);
  addApplications(server, client);
}

const limit = z.number().int().min(1).max(100).default(20);
const cursor = z.string().optional().describe("next_cursor of the page before");

function addApplications(server: McpServer, client: Mooring): void {
  server.registerTool(
    "list_applications",
    {
      title: "List applications",
      description:
        "The products that domains are connected to, newest first. Their ids and names are what other tools take as `application`. Needs a key with apps:admin.",
      inputSchema: z.strictObject({ cursor, limit }),
      outputSchema: applicationList,
      annotations: readOnly,
    },
    async (query) =>
      answer(applicationList, async () => {
        const { data, next_cursor } = await client.applications.list(withValues(query)).page();
        return { data: data.map(applicationLine), next_cursor };
      }),
  );
}

function applicationLine(application: Application) {
  const { id, name, environment, origin_url, wildcards, created_at } = application;
  return { id, name, environment, origin_url, wildcards, created_at };
}

/** The arguments that were passed. */
function withValues<Q extends object>(query: Q): { [K in keyof Q]?: Exclude<Q[K], undefined> } {
  const passed = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(passed) as { [K in keyof Q]?: Exclude<Q[K], undefined> };
}

function addLists(server: McpServer, client: Mooring): void {
  server.registerTool(
    "list_stuck",
    {
      title: "List what is stuck",
      description:
        "Connections that are not live, and live ones in trouble, longest in their state first; each with the first finding of its last diagnosis.",
      inputSchema: z.strictObject({
        actor: z
          .enum(["end_customer", "tenant", "operator", "wait"])
          .optional()
          .describe("Only those where the next move is this party's, among the rows read"),
        customer_ref: z.string().min(1).max(200).optional(),
        limit,
      }),
      outputSchema: stuckList,
      annotations: readOnly,
    },
    async ({ actor, customer_ref, limit: count }) =>
      answer(stuckList, async () => {
        const query = customer_ref === undefined ? {} : { customer_ref };
        const listing = client.connections.list({ ...query, sort: "stuck_since", limit: 100 });
        const page = await listing.page();
        const own = page.data.filter((one) => actor === undefined || one.summary?.actor === actor);
        const { by_state, by_actor } = await client.connections.summary();
        return {
          data: own.slice(0, count).map(briefly),
          has_more: own.length > count || page.next_cursor !== null,
          all: { by_state, by_actor },
        };
      }),
  );
  server.registerTool(
    "find_connections",
    {
      title: "Find connections",
      description:
        "Connections by a part of their hostname or customer, by state or customer; newest first.",
      inputSchema: z.strictObject({
        q: z
          .string()
          .min(2)
          .max(100)
          .optional()
          .describe("A part of the hostname or of the customer_ref"),
        state: z.array(z.enum(connectionStates)).min(1).optional(),
        customer_ref: z.string().min(1).max(200).optional(),
        cursor,
        limit,
      }),
      outputSchema: connectionList,
      annotations: readOnly,
    },
    async (query) =>
      answer(connectionList, async () => {
        const { data, next_cursor } = await client.connections.list(withValues(query)).page();
        return { data: data.map(briefly), next_cursor };
      }),
  );
}

async function explained(client: Mooring, reference: string) {
  const id = await connectionId(client, reference);
  const [connection, diagnosis, events] = await Promise.all([
    client.connections.get(id),
    client.call("get_connections_id_diagnosis", { params: { id } }),
    client.connections.events(id, { limit: 10 }).page(),
  ]);
  return { diagnosis, connection, events: events.data };
}

function briefly(connection: ListedConnection) {
  const { id, hostname, state, state_since, error_code, customer_ref, provider, summary } =
    connection;
  return { id, hostname, state, state_since, error_code, customer_ref, provider, summary };
}

async function answer<S extends z.ZodObject>(_schema: S, read: () => Promise<Answer<S>>) {
  try {
    return dataReply(await read());
  } catch (error) {
    return errorReply(error);
  }
}
