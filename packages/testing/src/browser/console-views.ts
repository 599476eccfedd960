import { movingName, type Stock } from "./console-stock.ts";
import type { Visit } from "./console-world.ts";

/** Every view of the console, with what says that it is complete. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** A text that is shown once its data is there. */
  readonly shows: string;
  /** The button that opens the dialog, in the region of that name or anywhere. */
  readonly opens?: { readonly button: string; readonly within?: string };
  /** Shown to an operator, and to no member. */
  readonly isOperators?: true;
}

/** Shows a view completely. A dialog would stay open from one view to the next: it is loaded. */
export async function showView({ page, open, go }: Visit, view: View): Promise<void> {
  const { opens } = view;
  await (opens === undefined ? go : open)(view.path);
  if (opens !== undefined) {
    const { button, within } = opens;
    const part = within === undefined ? page : page.getByRole("region", { name: within });
    await part.getByRole("button", { name: button, exact: true }).click();
  }
  const part = opens === undefined ? page : page.getByRole("dialog");
  await part.getByText(view.shows).first().waitFor();
  await page.locator(".loading").first().waitFor({ state: "detached" });
}

export function consoleViews(stock: Stock): readonly View[] {
  const { applicationId, endpointId, deliveryId, customer, domains } = stock;
  const domain = domains.get("shop.acme-console.test") ?? "";
  const application = `/test/applications/${applicationId}`;
  return [
    { name: "01-overview", path: "/test", shows: "Yours" },
    { name: "02-first-steps", path: "/live", shows: "Connect the first domain" },
    { name: "10-domains", path: "/test/domains", shows: "www.northwind.test" },
    { name: "11-domains-none", path: "/test/domains?q=nothing-here", shows: "No domain matches" },
    { name: "12-domain", path: `/test/domains/${domain}`, shows: "Evidence" },
    {
      name: "13-cutover",
      path: `/test/domains/${domains.get(movingName) ?? ""}`,
      shows: "Ready to switch",
    },
    { name: "14-traffic", path: "/test/traffic", shows: "Which had the most" },
    { name: "15-traffic-days", path: "/test/traffic?span=month", shows: "Which had the most" },
    {
      name: "20-customer",
      path: `/test/customers?ref=${encodeURIComponent(customer)}`,
      shows: "of the last 30 days",
    },
    { name: "21-customers", path: "/test/customers", shows: "Newest domain" },
    { name: "30-webhooks", path: "/test/webhooks", shows: "Active" },
    { name: "31-endpoint", path: `/test/webhooks/${endpointId}`, shows: "Median latency" },
    { name: "32-deliveries", path: "/test/webhooks/deliveries", shows: "Failed, retried" },
    { name: "33-delivery", path: `/test/webhooks/deliveries/${deliveryId}`, shows: "Request" },
    { name: "34-verify", path: "/test/webhooks/verify", shows: "verifyWebhook" },
    { name: "40-applications", path: "/test/applications", shows: "app.harbour.example" },
    { name: "41-origins", path: application, shows: "Another origin" },
    { name: "42-brand", path: `${application}?tab=widget`, shows: "Accent colour" },
    { name: "43-records", path: `${application}?tab=records`, shows: "A subdomain" },
    { name: "44-edge", path: `${application}?tab=edge`, shows: "Allowed origins" },
    { name: "47-application-traffic", path: `${application}?tab=traffic`, shows: "Requests" },
    { name: "45-keys", path: `${application}?tab=keys`, shows: "connections:read" },
    { name: "46-credentials", path: `${application}?tab=credentials`, shows: "elsewhere.test" },
    { name: "50-team", path: "/test/team", shows: "Last seen" },
    { name: "51-audit", path: "/test/audit?who=all", shows: "api_key.create" },
    { name: "52-usage", path: "/live/usage", shows: "Domains connected" },
    { name: "53-settings", path: "/test/settings", shows: "This one" },
    ...dialogs(stock),
    { name: "60-operator", path: "/operator", shows: "of 300 left", isOperators: true },
    { name: "61-tenants", path: "/operator/tenants", shows: "Harbour", isOperators: true },
  ];
}

function dialogs({ applicationId, endpointId, customer, domains }: Stock): readonly View[] {
  const domain = `/test/domains/${domains.get("shop.acme-console.test") ?? ""}`;
  const moving = `/test/domains/${domains.get(movingName) ?? ""}`;
  const application = `/test/applications/${applicationId}`;
  const dialog = (name: string, path: string, button: string, shows: string, within?: string) => ({
    name,
    path,
    shows,
    opens: within === undefined ? { button } : { button, within },
  });
  return [
    dialog("16-rules-form", domain, "Change", "Rate limit", "Rules for requests"),
    dialog("17-origin-form", domain, "Change", "Redirect to", "Origin and redirect"),
    dialog("18-share", domain, "Share", "Valid until"),
    dialog("19-write", domain, "Write the records", "Show the plan"),
    dialog("1a-switch", moving, "Switch", "Switch to us"),
    dialog("1b-new-domain", "/test/domains", "Connect a domain", "Application"),
    dialog(
      "22-status-page",
      `/test/customers?ref=${encodeURIComponent(customer)}`,
      "Status page",
      "Create a link",
    ),
    dialog("35-new-endpoint", "/test/webhooks", "Add an endpoint", "All, also kinds"),
    dialog("36-endpoint-form", `/test/webhooks/${endpointId}`, "Edit", "All, also kinds"),
    dialog("37-replay", `/test/webhooks/${endpointId}`, "Replay", "Send events again"),
    dialog("48-new-key", `${application}?tab=keys`, "New key", "connections:read"),
    dialog("49-new-credential", `${application}?tab=credentials`, "Add a credential", "Provider"),
    dialog("4a-new-application", "/test/applications", "New application", "Name"),
    dialog("54-invite", "/test/team", "Invite", "Role"),
  ];
}
