import { z } from "zod";
import {
  type CustomerRow,
  ListCustomers,
  listCustomers,
  mostCounted,
  mostSearched,
} from "../../services/connections/customers.ts";
import { defineRoute, listing, listSchema, Time, time } from "../http/route.ts";

const CustomerBody = z
  .object({
    customer_ref: z.string(),
    connections: z
      .int()
      .describe(`Not archived; of a customer with more than ${mostCounted} so many are counted`),
    live: z.int(),
    stuck: z.int().describe("In their state for longer than is usual for it"),
    newest_at: Time.describe("When the newest connection was made"),
  })
  .meta({ id: "Customer" });

function customerBody(customer: CustomerRow): z.input<typeof CustomerBody> {
  return {
    customer_ref: customer.customerRef,
    connections: customer.connections,
    live: customer.live,
    stuck: customer.stuck,
    newest_at: time(customer.newestAt),
  };
}

export const listCustomersRoute = defineRoute({
  method: "GET",
  path: "/v1/customers",
  tag: "Connections",
  summary: "List the customers that have connections, by their id",
  description: `Those that a \`customer_ref\` names, in the order of these ids. A search reads ${mostSearched} connections at most.`,
  scopes: ["connections:read"],
  role: "viewer",
  query: ListCustomers,
  output: listSchema(CustomerBody),
  statuses: [200],
  run: (ctx, { query }) => listCustomers(ctx, query),
  reply: (page) => listing(page, customerBody),
});
