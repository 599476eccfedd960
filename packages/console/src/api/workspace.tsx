import { Mooring } from "@mooring/sdk";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type Environment, type MemberSession, mayAct, type Role } from "./session.ts";

/** Who is signed in, in which environment, and the client that acts as them there. */
export interface Workspace {
  readonly api: Mooring;
  readonly environment: Environment;
  readonly session: MemberSession;
  readonly may: (least: Role) => boolean;
}

const WorkspaceContext = createContext<Workspace | null>(null);

interface Props {
  readonly session: MemberSession;
  readonly environment: Environment;
  readonly children: ReactNode;
}

export function WorkspaceProvider({ session, environment, children }: Props) {
  const workspace = useMemo<Workspace>(
    () => ({
      api: new Mooring({
        baseUrl: globalThis.location.origin,
        session: { csrfToken: session.csrf_token, environment },
        // A person who waits would rather try again than see a third attempt.
        retries: 1,
      }),
      environment,
      session,
      may: (least) => mayAct(session.role, least),
    }),
    [session, environment],
  );
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error("this part of the console needs a session");
  return workspace;
}
