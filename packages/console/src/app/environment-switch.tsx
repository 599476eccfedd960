import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";

/** Objects of one environment do not exist in the other: the switch leads to its overview. */
export function EnvironmentSwitch() {
  const { environment } = useWorkspace();
  return (
    <nav className="environments" aria-label="Environment">
      {(["live", "test"] as const).map((one) => (
        <Link
          key={one}
          className={one}
          to="/$environment"
          params={{ environment: one }}
          aria-current={one === environment ? "true" : undefined}
        >
          {one === "live" ? "Live" : "Test"}
        </Link>
      ))}
    </nav>
  );
}
