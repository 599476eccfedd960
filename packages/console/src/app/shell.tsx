import { Link, Outlet, useParams, useRouteContext } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveUpdates } from "../api/live-updates.ts";
import { WorkspaceProvider } from "../api/workspace.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/status.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";
import { PersonMenu } from "./person-menu.tsx";
import "./shell.css";

/** The frame of every screen: navigation, environment, search and the person's menu. */
export function Shell() {
  const { environment } = useParams({ from: "/$environment" });
  const { session } = useRouteContext({ from: "/$environment" });
  const [isNavigationOpen, setNavigationOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  return (
    <WorkspaceProvider session={session} environment={environment}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className={`shell ${environment}`}>
        <header className="top">
          <button
            type="button"
            className="button quiet narrow-only"
            aria-label="Navigation"
            aria-expanded={isNavigationOpen}
            onClick={() => setNavigationOpen(!isNavigationOpen)}
          >
            <Icon name="menu" />
          </button>
          <Link className="brand" to="/$environment" params={{ environment }}>
            Mooring
          </Link>
          <span className="tenant breakable">{session.tenant.name}</span>
          <button type="button" className="find" onClick={() => setPaletteOpen(true)}>
            <Icon name="search" /> <span>Find a domain or a page</span> <kbd>Ctrl K</kbd>
          </button>
          <EnvironmentSwitch />
          <PersonMenu />
        </header>
        {environment === "test" ? (
          <aside className="test-strip" aria-label="Test environment">
            Test environment: nothing here reaches your customers.
          </aside>
        ) : null}
        <div className={isNavigationOpen ? "side open" : "side"}>
          <Navigation onNavigate={() => setNavigationOpen(false)} />
        </div>
        <main id="main" tabIndex={-1}>
          <ConnectionBanner />
          {session.tenant.suspended ? <Suspended /> : null}
          <Outlet />
        </main>
      </div>
      <CommandPalette isOpen={isPaletteOpen} onToggle={setPaletteOpen} />
      <KeyboardHelp />
      <LiveUpdates />
    </WorkspaceProvider>
  );
}

function Suspended() {
  return (
    <aside className="suspended" aria-label="Suspended account">
      <Note tone="bad">
        This account is suspended. You can read everything; changes are refused, and its domains
        show a maintenance page. Ask the operator of this service.
      </Note>
    </aside>
  );
}

/** Inside of the workspace, whose events it follows. */
function LiveUpdates() {
  useLiveUpdates();
  return null;
}
