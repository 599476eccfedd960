import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";

export function WebhookTabs() {
  const { environment } = useWorkspace();
  const options = { exact: true, includeSearch: false } as const;
  return (
    <nav className="tabs" aria-label="Webhooks">
      <Link to="/$environment/webhooks" params={{ environment }} activeOptions={options}>
        Endpoints
      </Link>
      <Link to="/$environment/webhooks/deliveries" params={{ environment }} activeOptions={options}>
        Deliveries
      </Link>
      <Link to="/$environment/webhooks/verify" params={{ environment }} activeOptions={options}>
        How to verify
      </Link>
    </nav>
  );
}
