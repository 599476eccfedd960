/** The name under which the benches' connections live: `h1`, `h2`, … below it. */
export const benchZone = "bench.example";
export const benchEdge = "edge.localhost";

/** Rows as the product would have written them, one a millisecond, all live and due. */
export const connectionRows = {
  connections: `
    insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain,
      kind, setup_type, state, challenge, may_use_credentials, desired_records, observed_records,
      phase_started_at, checks, last_checked_at, first_live_at, sequence, version, due_at, created_at)
    select overlay(overlay(md5(n::text) placing '7' from 13) placing '8' from 17)::uuid, $2::uuid, 'live', a.id,
      'h' || n || '.${benchZone}', '${benchZone}', 'subdomain', 'manual', 'live',
      'service-verify=' || md5(n::text) || 'abcdefghijk', true,
      jsonb_build_array(jsonb_build_object('host', 'h' || n || '.${benchZone}', 'type', 'CNAME',
        'value', '${benchEdge}', 'ttl', 300, 'priority', null)),
      jsonb_build_array(jsonb_build_object('host', 'h' || n || '.${benchZone}', 'type', 'CNAME',
        'value', '${benchEdge}', 'ttl', 300, 'priority', null, 'propagated', true,
        'observed_at', '2026-01-01T00:00:00.000Z')),
      t.at, 5, t.at, t.at, 4, 9, t.at + interval '1 hour', t.at
    from generate_series(1, $1::int) as n
    cross join lateral (select now() - interval '1 day' + n * interval '1 millisecond' as at) t
    cross join (select id from applications where tenant_id = $2::uuid and environment = 'live' limit 1) a`,
  claims: `
    insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
    select hostname, id, tenant_id, environment, nextval('claim_epochs'), created_at from connections`,
} as const;
