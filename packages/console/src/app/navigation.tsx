import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { Icon } from "../ui/icon.tsx";
import { sections } from "./sections.ts";

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { environment, may } = useWorkspace();
  return (
    <nav aria-label="Sections">
      <ul>
        {sections
          .filter(({ least }) => may(least))
          .map(({ to, name, icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ environment }}
                activeOptions={{ exact: to === "/$environment", includeSearch: false }}
                onClick={onNavigate}
              >
                <Icon name={icon} /> {name}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
