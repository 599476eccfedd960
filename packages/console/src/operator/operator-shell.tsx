import { Link, Outlet } from "@tanstack/react-router";
import { ConnectionBanner } from "../app/connection-banner.tsx";
import { useSignOut } from "../app/sign-out.ts";
import { Icon } from "../ui/icon.tsx";
import { Badge } from "../ui/status.tsx";
import { useOperatorApi } from "./operator-queries.ts";
import "../app/shell.css";
import "./operator.css";

/** The frame of the operator's views: no tenant, no environment, nothing to change. */
export function OperatorShell() {
  const signOut = useSignOut(useOperatorApi());
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="shell operator">
        <header className="top">
          <Link className="brand" to="/operator">
            Mooring
          </Link>
          <Badge tone="info">Operator, read only</Badge>
          <button type="button" className="button quiet end" onClick={() => void signOut()}>
            <Icon name="external" /> Sign out
          </button>
        </header>
        <div className="side open">
          <nav aria-label="Sections">
            <ul>
              <li>
                <Link to="/operator" activeOptions={{ exact: true }}>
                  <Icon name="operator" /> Installation
                </Link>
              </li>
              <li>
                <Link to="/operator/tenants" activeOptions={{ includeSearch: false }}>
                  <Icon name="people" /> Tenants
                </Link>
              </li>
            </ul>
          </nav>
        </div>
        <main id="main" tabIndex={-1}>
          <ConnectionBanner />
          <Outlet />
        </main>
      </div>
    </>
  );
}
