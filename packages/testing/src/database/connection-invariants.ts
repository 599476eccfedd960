import pg from "pg";

/**
 * What holds for all connections at every commit, also when processes are killed. Each query
 * returns the rows that break its rule.
 */
const rules: Readonly<Record<string, string>> = {
  "at most one connection holds a hostname": `
    select hostname as broken from connections where state in ${claiming()} group by hostname having count(*) > 1`,
  "a claim is held in exactly the claiming states": `
    select k.id::text as broken from connections k left join claims c on c.connection_id = k.id
    where (k.state in ${claiming()}) <> (c.hostname is not null)`,
  "a claim names its connection's own hostname": `
    select c.hostname as broken from claims c join connections k on k.id = c.connection_id
    where (c.hostname, c.tenant_id, c.environment) <> (k.hostname, k.tenant_id, k.environment)`,
  "held names are counted with the claims": `
    select h.tenant_id::text as broken from held_hostnames h
    where h.held <> (select count(*) from claims c where c.tenant_id = h.tenant_id and c.environment = h.environment)`,
  "a name that waits for the plan is proven and says so": `
    select k.id::text as broken from quota_waits w join connections k on k.id = w.connection_id
    where k.state <> 'verified' or k.error_code is distinct from 'quota_exceeded'`,
  "events are numbered from one without a gap": `
    select k.id::text as broken from connections k left join events e on e.connection_id = k.id
    group by k.id having count(e.id) <> k.sequence or min(e.sequence) <> 1 or max(e.sequence) <> k.sequence`,
  // Entries to and exits from each state are counted, since clocks of processes differ and order
  // rows differently.
  "the timeline leads from created to the present state": `
    select m.connection_id::text || ' ' || m.state as broken from (
      select connection_id, to_state as state, 1 as step from timeline where kind = 'state'
      union all select connection_id, from_state, -1 from timeline where kind = 'state'
      union all select id, 'created', 1 from connections
      union all select id, state, -1 from connections) m
    group by m.connection_id, m.state having sum(m.step) <> 0`,
  "every transition has its event, and every event its transition": `
    select k.id::text || ' ' || x.type as broken from connections k
    cross join (values
      ('domain.added', 'created', 'pending_ownership'), ('domain.verified', null, 'verified'),
      ('ssl.issued', 'issuing_cert', 'live'), ('domain.drift', null, 'drifted'),
      ('domain.restored', 'drifted', 'live'), ('domain.failed', null, 'failed'),
      ('domain.archived', null, 'archived')) as x (type, origin, target)
    where (select count(*) from events e where e.connection_id = k.id and e.type = x.type
          and coalesce(e.body::jsonb #>> '{data,renewal}', 'false') = 'false')
      <> (select count(*) from timeline t where t.connection_id = k.id and t.to_state = x.target
          and t.kind = 'state' and (x.origin is null or t.from_state = x.origin))`,
  "a flow is completed once, when it first is live": `
    select k.id::text as broken from connections k
    where (select count(*) from events e where e.connection_id = k.id and e.type = 'domain.flow.completed')
      <> case when k.first_live_at is null then 0 else 1 end`,
  "an outage of the origin is reported once when it begins and once when it ends": `
    select k.id::text as broken from connections k where k.state <> 'archived'
      and (select count(*) filter (where e.type = 'origin.unreachable')
          - count(*) filter (where e.type = 'origin.recovered') from events e where e.connection_id = k.id)
        <> (select count(*) from troubles t where t.connection_id = k.id
          and t.kind = 'origin_unreachable' and t.closed_at is null)`,
  "a live connection shows its worst trouble, and only trouble that it has": `
    select k.id::text as broken from connections k left join lateral (
      select t.kind from troubles t where t.connection_id = k.id and t.closed_at is null
      order by array_position(array['certificate_expired', 'certificate_at_risk', 'origin_unreachable'], t.kind)
      limit 1) w on true
    where k.state = 'live' and (w.kind is not null
        or k.error_code in ('certificate_expired', 'certificate_at_risk', 'origin_unreachable'))
      and k.error_code is distinct from w.kind`,
  "a prover shows its open contest, and a holder the earliest against it": `
    select k.id::text as broken from connections k left join lateral (
      select min(c.since) as since, min(c.deadline) as deadline from contests c
      where c.ended_at is null and (c.prover_id = k.id or c.holder_id = k.id)) o on true
    where (k.contest_since, k.contest_deadline) is distinct from (o.since, o.deadline)`,
  "an open contest is between a connection that waits and the one that holds": `
    select c.id::text as broken from contests c join connections p on p.id = c.prover_id
      left join claims h on h.connection_id = c.holder_id and h.hostname = c.hostname
    where c.ended_at is null and (p.state not in ('pending_ownership', 'verifying') or h.hostname is null)`,
  "a holder gets one event when contests against it begin, and one when it has won them": `
    select k.id::text as broken from connections k where k.state <> 'archived'
      and (select count(*) filter (where e.type = 'domain.contested')
          - count(*) filter (where e.type = 'domain.contest_won') from events e where e.connection_id = k.id)
        <> (case when exists (select 1 from contests c where c.holder_id = k.id and c.ended_at is null)
          then 1 else 0 end)`,
  "a connection that is still checked has a time for the next check": `
    select c.id::text as broken from connections c
      left join connection_checks k on k.connection_id = c.id and k.tenant_id = c.tenant_id
    where (k.due_at is null) <> (c.state in ('failed', 'archived'))
      or (c.due_at is null) <> (c.state in ('failed', 'archived'))
      or k.lane <> check_lane(c.state, c.checks)`,
  "a connection is in one of its tables": `
    select id::text as broken from connections group by id having count(*) > 1`,
  ...Object.fromEntries(
    ["certificates", "connection_search", "dns_writes", "events", "timeline"].map((table) => [
      `a row of ${table} is of a connection that exists`,
      `select t.connection_id::text as broken from ${table} t
       where t.connection_id is not null
         and not exists (select from connections k where k.id = t.connection_id)`,
    ]),
  ),
};

function claiming(): string {
  return "('verified', 'dns_writing', 'propagating', 'stalled', 'issuing_cert', 'live', 'drifted')";
}

/**
 * Every broken rule with the row that breaks it; empty when all hold. All rules read one snapshot.
 */
export async function brokenInvariants(client: pg.Client): Promise<string[]> {
  const parts = Object.entries(rules).map(
    ([rule, query]) =>
      `select ${pg.escapeLiteral(`${rule}: `)} || q.broken as line from (${query}) q`,
  );
  const { rows } = await client.query<{ line: string }>(parts.join("\nunion all\n"));
  return rows.map(({ line }) => line);
}
