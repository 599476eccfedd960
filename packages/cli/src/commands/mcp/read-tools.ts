import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { connectionStates, type ListedConnection, type Mooring } from "@mooring/sdk";
import { z } from "zod";
import { applicationId, connectionId } from "../references.ts";
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
      inputSchema: {
        domain: z.string().min(1).max(255).describe("A hostname such as shop.acme.com"),
        application: z
          .string()
          .optional()
          .describe("Compare with the records of this application, by id or name"),
      },
      annotations: readOnly,
    },
    async ({ domain, application }) =>
      answer(async () =>
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
      inputSchema: { connection: connectionReference },
      annotations: readOnly,
    },
    async ({ connection }) => answer(() => explained(client, connection)),
  );
  addLists(server, client);
}

function addLists(server: McpServer, client: Mooring): void {
  const limit = z.number().int().min(1).max(100).default(20);
  server.registerTool(
    "list_stuck",
    {
      title: "List what is stuck",
      description:
        "Connections that are not live, and live ones in trouble, longest in their state first; each with the first finding of its last diagnosis.",
      inputSchema: {
        actor: z
          .enum(["end_customer", "tenant", "operator", "wait"])
          .optional()
          .describe("Only those where the next move is this party's, among the rows read"),
        customer_ref: z.string().min(1).max(200).optional(),
        limit,
      },
      annotations: readOnly,
    },
    async ({ actor, customer_ref, limit: count }) =>
      answer(async () => {
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
      inputSchema: {
        q: z
          .string()
          .min(2)
          .max(100)
          .optional()
          .describe("A part of the hostname or of the customer_ref"),
        state: z.array(z.enum(connectionStates)).min(1).optional(),
        customer_ref: z.string().min(1).max(200).optional(),
        cursor: z.string().optional().describe("next_cursor of the page before"),
        limit,
      },
      annotations: readOnly,
    },
    async (query) =>
      answer(async () => {
        const given = Object.entries(query).filter(([, value]) => value !== undefined);
        const { data, next_cursor } = await client.connections
          .list(Object.fromEntries(given))
          .page();
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

async function answer(read: () => Promise<object>) {
  try {
    return dataReply(await read());
  } catch (error) {
    return errorReply(error);
  }
}
