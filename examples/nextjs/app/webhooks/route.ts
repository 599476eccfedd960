// region webhook
import { verifyWebhook } from "@mooring/sdk";
import { domains } from "../../lib/domains";
import { settings } from "../../lib/mooring";

export async function POST(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const { webhookSecret } = settings();
  const event = await verifyWebhook(body, request.headers, webhookSecret).catch(() => null);
  if (event === null) return new Response("Bad request\n", { status: 400 });
  if ("connection" in event.data && event.data.connection) {
    const { id, customer_ref: customer, state } = event.data.connection;
    const { sequence } = event;
    // Events may arrive twice and out of order.
    if (sequence > (domains.get(id)?.sequence ?? 0)) domains.set(id, { customer, state, sequence });
  }
  return new Response(null, { status: 204 });
}
// end region
