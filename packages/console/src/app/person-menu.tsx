import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuItem, MenuLine } from "../ui/menu.tsx";
import { announceError } from "../ui/toast.tsx";
import { tellOtherTabs } from "./end-of-session.ts";

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { api, session, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await api.sessions.end();
    } catch (error) {
      announceError(error);
      return;
    }
    tellOtherTabs();
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, null);
    await navigate({ to: "/sign-in", search: {} });
  };
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
