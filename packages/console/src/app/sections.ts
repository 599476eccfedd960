import type { Role } from "../api/session.ts";
import type { IconName } from "../ui/icon.tsx";

/** The sections of the console, in the order of the navigation; `key` follows `g`. */
export interface Section {
  readonly to: SectionPath;
  readonly name: string;
  readonly icon: IconName;
  readonly key: string;
  readonly least: Role;
}

export type SectionPath =
  | "/$environment"
  | "/$environment/domains"
  | "/$environment/traffic"
  | "/$environment/customers"
  | "/$environment/webhooks"
  | "/$environment/applications"
  | "/$environment/team"
  | "/$environment/audit"
  | "/$environment/usage"
  | "/$environment/settings";

export const sections: readonly Section[] = [
  { to: "/$environment", name: "Overview", icon: "overview", key: "o", least: "viewer" },
  { to: "/$environment/domains", name: "Domains", icon: "globe", key: "d", least: "viewer" },
  { to: "/$environment/traffic", name: "Traffic", icon: "traffic", key: "v", least: "viewer" },
  { to: "/$environment/customers", name: "Customers", icon: "customer", key: "c", least: "viewer" },
  { to: "/$environment/webhooks", name: "Webhooks", icon: "webhook", key: "w", least: "viewer" },
  {
    to: "/$environment/applications",
    name: "Applications",
    icon: "app",
    key: "a",
    least: "viewer",
  },
  { to: "/$environment/team", name: "Team", icon: "people", key: "t", least: "viewer" },
  { to: "/$environment/audit", name: "Audit", icon: "audit", key: "l", least: "admin" },
  { to: "/$environment/usage", name: "Usage", icon: "usage", key: "u", least: "viewer" },
  { to: "/$environment/settings", name: "Settings", icon: "settings", key: "s", least: "viewer" },
];
