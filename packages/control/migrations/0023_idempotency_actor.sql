-- An Idempotency-Key belongs to the caller that used it: an API key, or the tokens of one application and
-- domain. Rows of the release before have no actor; they expire within a day and answer nobody.
set local lock_timeout = '1s';
alter table idempotency_keys add column actor text not null default '';
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys
  add constraint idempotency_keys_pkey primary key (tenant_id, environment, route, actor, key);
