// region token
import { mooringClient, settings } from "../../lib/mooring";
import { signedInCustomer } from "../../lib/session";

export const dynamic = "force-dynamic";

export async function GET(request: Request): Promise<Response> {
  const customer = signedInCustomer(request);
  if (customer === null) return new Response("Sign in first\n", { status: 401 });
  const { baseUrl, applicationId } = settings();
  const { auth_token: token } = await mooringClient().tokens.mint({
    application_id: applicationId,
    customer_ref: customer,
  });
  const headers = { "cache-control": "no-store" };
  return Response.json({ baseUrl, applicationId, token }, { headers });
}
// end region
