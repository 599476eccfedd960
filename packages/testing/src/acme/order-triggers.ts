import type pg from "pg";

/**
 * Database triggers that record the orders of all edge processes, and hold certificate rows back.
 */
export interface OrderTriggers {
  /** No edge can lease the certificate row of the name until it is released. */
  hold(hostname: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** Resets the order budget, which allows a tenant twenty orders in a row. */
  forgetBudget(): Promise<void>;
  /** The edge that orders for the name pauses for three seconds before it answers the challenge. */
  slow(hostname: string): Promise<void>;
  /** The number of orders for the name. */
  countOrders(hostname: string): Promise<number>;
  /** The kinds of challenges for the name. */
  listChallenges(hostname: string): Promise<string[]>;
  /** The processes that made those orders, by the names of their database connections. */
  orderedBy(hostname: string): Promise<string[]>;
}

export async function createOrderTriggers(session: pg.Client): Promise<OrderTriggers> {
  await session.query(`
    create table test_recorded (hostname text, what text, detail text);
    create table test_leased (hostname text);
    create table test_slow (hostname text);
    create function test_record_order() returns trigger language plpgsql security definer as $$
      begin insert into public.test_recorded values (new.hostname, 'order', current_setting('application_name')); return new; end $$;
    create function test_record_challenge() returns trigger language plpgsql security definer as $$
      begin
        insert into public.test_recorded values (new.hostname, 'challenge', new.kind);
        delete from public.test_slow where hostname = new.hostname;
        if found then perform pg_sleep(3); end if;
        return new;
      end $$;
    create function test_hold() returns trigger language plpgsql security definer as $$
      begin
        if new.hostname in (select hostname from public.test_leased) then
          new.leased_until := now() + interval '1 hour';
        end if;
        return new;
      end $$;
    create trigger test_order after insert on acme_orders for each row execute function test_record_order();
    create trigger test_challenge after insert on acme_challenges for each row execute function test_record_challenge();
    create trigger test_hold before insert on certificates for each row execute function test_hold()`);
  const recorded = async (hostname: string, what: "order" | "challenge"): Promise<string[]> => {
    const { rows } = await session.query<{ detail: string }>(
      "select detail from test_recorded where hostname = $1 and what = $2",
      [hostname, what],
    );
    return rows.map((row) => row.detail);
  };
  return {
    async hold(hostname) {
      await session.query("insert into test_leased values ($1)", [hostname]);
    },
    async release(hostname) {
      await session.query("delete from test_leased where hostname = $1", [hostname]);
      await session.query("update certificates set leased_until = null where hostname = $1", [
        hostname,
      ]);
    },
    async forgetBudget() {
      // Alone: an edge locks its rows in an order of its own.
      await session.query(
        "begin; lock table issuance_budget in exclusive mode; delete from issuance_budget; commit",
      );
    },
    async slow(hostname) {
      await session.query("insert into test_slow values ($1)", [hostname]);
    },
    countOrders: async (hostname) => (await recorded(hostname, "order")).length,
    listChallenges: (hostname) => recorded(hostname, "challenge"),
    orderedBy: (hostname) => recorded(hostname, "order"),
  };
}
