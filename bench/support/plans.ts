import pg from "pg";

/** A node of a plan, as EXPLAIN writes it in JSON. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What the server did for one statement. */
export interface StatementPlan {
  readonly text: string;
  readonly elapsedMs: number;
  readonly rows: number;
  readonly buffers: number;
  /** How each table was read, for a report. */
  readonly access: readonly string[];
  /** What would not hold with more rows; empty when all is well. */
  readonly problems: readonly string[];
}

/** A sequential scan is cheap where the table is small whatever the installation's size is. */
const smallTable = 2_000;
/** A statement may sort what it returns, never a backlog. */
const maxSorted = 2_000;
/** Rows that are read only to be dropped: the index does not fit. */
const maxDropped = 2_000;
/** Rows that one statement reads, in pieces of a thousand and counts to a limit of ten thousand. */
const maxRead = 45_000;

/**
 * A statement that is sent without a name is planned for its values, each time. A named one, and
 * one inside of a function, soon gets one plan for all values, in which the server does not know
 * how few rows a parameter means.
 */
export type PlanKind = "custom" | "generic";

/**
 * Has every session of the database report the plan of each statement, with those inside of
 * functions, as a notice. So the statements are those that the product sends, under its roles and
 * with row level security.
 */
export async function reportPlans(session: pg.Client, kind: PlanKind): Promise<void> {
  const { rows } = await session.query<{ name: string }>("select current_database() as name");
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_level": "notice",
    // Compiling takes longer than any of these statements should.
    jit: "off",
    plan_cache_mode: `force_${kind}_plan`,
  };
  await session.query("load 'auto_explain'");
  for (const [name, value] of Object.entries(settings)) {
    const database = pg.escapeIdentifier(rows[0]?.name ?? "");
    await session.query(`alter database ${database} set ${name} = ${pg.escapeLiteral(value)}`);
  }
}

/**
 * Collects the plans of what a pool's connections run; generic ones of the statements that can get
 * them.
 */
export function collectPlans(
  pool: pg.Pool,
  sizes: ReadonlyMap<string, number>,
  kind: PlanKind,
): { take(): readonly StatementPlan[] } {
  const seen = new WeakSet<pg.PoolClient>();
  const unnamed = new Set<string>();
  let plans: StatementPlan[] = [];
  const watch = (client: pg.PoolClient): void => {
    if (seen.has(client)) return;
    seen.add(client);
    noteUnnamed(client, unnamed, kind);
    client.on("notice", ({ message = "" }) => {
      const found = /^duration: ([\d.]+) ms\s+plan:\s*(\{.*)$/s.exec(message);
      if (found?.[1] && found[2]) plans.push(toPlan(Number(found[1]), JSON.parse(found[2]), sizes));
    });
  };
  pool.on("acquire", watch);
  return {
    take() {
      const taken = plans;
      plans = [];
      return kind === "custom" ? taken : taken.filter(({ text }) => !unnamed.has(text));
    },
  };
}

/** Adds the text of each statement that the client sends without a name. */
function noteUnnamed(client: pg.PoolClient, unnamed: Set<string>, kind: PlanKind): void {
  const send = client.query.bind(client);
  const noted = (...args: unknown[]): unknown => {
    const [statement] = args as [string | pg.QueryConfig];
    const { name, text } =
      typeof statement === "string" ? { name: null, text: statement } : statement;
    if (!name) unnamed.add(onOneLine(text));
    const run = () => Reflect.apply(send, client, args);
    return kind === "generic" && !name && isRead(text) ? forItsValues(run) : run();
  };
  Object.assign(client, { query: noted });

  /**
   * As the product has it planned: the plan for all values may take longer than a statement may.
   */
  async function forItsValues(run: () => unknown): Promise<unknown> {
    await send("set plan_cache_mode = force_custom_plan");
    const result = await run();
    await send("set plan_cache_mode = force_generic_plan");
    return result;
  }
}

/**
 * A read of columns by the query builder; other statements may call functions, whose plans are
 * inspected.
 */
function isRead(text: string): boolean {
  return /^select "/.test(text) && !/ from \w+\(/.test(text);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function toPlan(
  elapsedMs: number,
  explained: { readonly "Query Text": string; readonly Plan: PlanNode },
  sizes: ReadonlyMap<string, number>,
): StatementPlan {
  const root = explained.Plan;
  const nodes = [...walk(root)];
  const access = nodes.flatMap((node) =>
    node["Relation Name"] === undefined
      ? []
      : [`${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"]}`],
  );
  return {
    text: onOneLine(explained["Query Text"]),
    elapsedMs,
    rows: root["Actual Rows"] ?? 0,
    buffers: (root["Shared Hit Blocks"] ?? 0) + (root["Shared Read Blocks"] ?? 0),
    access: [...new Set(access)],
    problems: nodes.flatMap((node) => findProblems(node, sizes)),
  };
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}

function findProblems(node: PlanNode, sizes: ReadonlyMap<string, number>): readonly string[] {
  const loops = node["Actual Loops"] ?? 0;
  const rows = (node["Actual Rows"] ?? 0) * loops;
  const kind = node["Node Type"];
  const relation = node["Relation Name"] ?? "";
  if (kind === "Seq Scan" && loops > 0 && (sizes.get(relation) ?? 0) > smallTable) {
    return [`sequential scan of ${relation}`];
  }
  if (kind.endsWith("Sort") && countInput(node) > maxSorted)
    return [`sort of ${countInput(node)} rows`];
  if (relation === "") return [];
  const dropped = (node["Rows Removed by Filter"] ?? 0) * loops;
  if (dropped > maxDropped) return [`${Math.round(dropped)} rows of ${relation} read and dropped`];
  // A block range of an index is read as a whole.
  const read = rows + (node["Rows Removed by Index Recheck"] ?? 0) * loops;
  return read > maxRead ? [`${Math.round(read)} rows of ${relation} read`] : [];
}

/** The rows that a node gets from those below it. */
function countInput(node: PlanNode): number {
  const below = (node.Plans ?? []).map(
    (child) => (child["Actual Rows"] ?? 0) * (child["Actual Loops"] ?? 0),
  );
  return Math.round(below.reduce((sum, rows) => sum + rows, 0));
}

/** How many rows each table has. */
export async function tableSizes(session: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await session.query<{ name: string; count: number }>(
    `select relname as name, reltuples::float8 as count from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
