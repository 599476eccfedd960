import type { ColumnType, Generated } from "kysely";
import type { Role } from "../domain/people/role.ts";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

/** Members, how they sign in, their sessions, and what only the console reads. */
export interface PeopleTables {
  tenants: {
    id: Immutable<string>;
    name: string;
    plan: string;
    created_at: Immutable<Date>;
    suspended_at: Generated<Date | null>;
    suspended_reason: Generated<string | null>;
    deleted_at: Generated<Date | null>;
    removal_leased_until: Generated<Date | null>;
  };
  members: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    email: Immutable<string>;
    name: string | null;
    role: Role;
    created_at: Immutable<Date>;
    last_seen_at: Date | null;
  };
  tenant_domains: {
    tenant_id: Immutable<string>;
    domain: Immutable<string>;
    role: Role;
    created_at: Immutable<Date>;
  };
  sign_in_links: {
    token_hash: Immutable<Buffer>;
    tenant_id: Immutable<string | null>;
    member_id: Immutable<string | null>;
    role: Immutable<Role | null>;
    created_at: Immutable<Date>;
    expires_at: Immutable<Date>;
  };
  sign_in_attempts: {
    token_hash: Immutable<Buffer>;
    kind: Immutable<"oidc" | "choice" | "passkey" | "passkey_registration">;
    details: ColumnType<Record<string, unknown>, string, never>;
    expires_at: Immutable<Date>;
  };
  sessions: {
    id: Immutable<string>;
    token_hash: Immutable<Buffer>;
    tenant_id: Immutable<string | null>;
    member_id: Immutable<string | null>;
    role: Immutable<Role | null>;
    signed_in_by: Immutable<"link" | "oidc" | "passkey">;
    address: Immutable<string | null>;
    user_agent: Immutable<string | null>;
    created_at: Immutable<Date>;
    last_seen_at: Date;
    expires_at: Immutable<Date>;
    revoked_at: Generated<Date | null>;
  };
  passkeys: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    member_id: Immutable<string>;
    credential_id: Immutable<Buffer>;
    public_key: Immutable<Buffer>;
    counter: number;
    transports: Immutable<string[]>;
    name: Immutable<string>;
    created_at: Immutable<Date>;
    last_used_at: Date | null;
  };
  connection_search: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    text: string;
    created_at: Immutable<Date>;
  };
}
