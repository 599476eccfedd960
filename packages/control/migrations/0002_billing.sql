-- Billing: what Stripe's events need before and beyond the row policies of a tenant.
--
-- An event is recorded in a transaction confined to its tenant like any other; two things the
-- policies do not give: finding the tenant of a Stripe subscription, and moving the tenant's plan.

-- Whose subscription this is; null when it is none of ours.
create function find_subscription_tenant(stripe_id text) returns uuid
  language sql stable security definer set search_path = pg_catalog, public
  as $$ select s.tenant_id from public.subscriptions s where s.stripe_subscription = stripe_id $$;

-- Moves the plan of the transaction's own tenant, and of no other.
create function set_own_plan(new_plan text) returns void
  language sql security definer set search_path = pg_catalog, public
  as $$ update public.tenants set plan = new_plan where id = public.app_tenant() $$;

alter function find_subscription_tenant(text) owner to mooring_definer;
alter function set_own_plan(text) owner to mooring_definer;
revoke execute on function find_subscription_tenant(text), set_own_plan(text) from public;
grant execute on function find_subscription_tenant(text), set_own_plan(text) to mooring_api;
