import { useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuItem, MenuLine } from "../ui/menu.tsx";
import { useSignOut } from "./sign-out.ts";

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { api, session, environment } = useWorkspace();
  const navigate = useNavigate();
  const signOut = useSignOut(api);
  return (
    <Menu
      className="button quiet"
      name="Your account"
      label={
        <>
          <Icon name="customer" /> <Icon name="down" />
        </>
      }
    >
      <div className="person breakable">
        <strong>{session.member?.name ?? session.member?.email ?? "Signed in by link"}</strong>
        <span className="muted">
          {session.member === null ? null : `${session.member.email} · `}
          {session.role}
        </span>
      </div>
      <MenuLine />
      <MenuItem
        onSelect={() => void navigate({ to: "/$environment/settings", params: { environment } })}
      >
        <Icon name="settings" /> Sessions and passkeys
      </MenuItem>
      <MenuItem onSelect={() => void signOut()}>
        <Icon name="external" /> Sign out
      </MenuItem>
    </Menu>
  );
}
