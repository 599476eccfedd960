// region origin
import { verifyAssertion } from "@mooring/sdk";
import { type NextRequest, NextResponse } from "next/server";
import { settings } from "./lib/mooring";

/** A request through the edge carries its assertion. Any other request is for your own site. */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname } = request.nextUrl;
  const assertion = request.headers.get("x-svc-assertion");
  if (assertion === null) {
    // The customers' pages are reached through the edge only.
    const isInside = pathname.startsWith("/sites/");
    return isInside ? new Response("Not found\n", { status: 404 }) : NextResponse.next();
  }
  const { baseUrl, applicationId } = settings();
  const options = { issuer: baseUrl, audience: applicationId };
  const visited = await verifyAssertion(assertion, options).catch(() => null);
  if (visited === null) return new Response("Forbidden\n", { status: 403 });
  if (visited.customerRef === null) return new Response("Not found\n", { status: 404 });
  const page = new URL(`/sites/${encodeURIComponent(visited.customerRef)}`, request.url);
  page.searchParams.set("hostname", visited.hostname);
  return NextResponse.rewrite(page);
}
// end region
