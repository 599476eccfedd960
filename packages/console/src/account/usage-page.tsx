import type { Plan, Subscription, Usage } from "@mooring/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { plansQuery, subscriptionQuery, usageQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { words } from "../domains/state-text.ts";
import { Choice } from "../ui/choice.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Badge, Loading, Note, Problem } from "../ui/status.tsx";
import { At } from "../ui/time.tsx";
import { announceError } from "../ui/toast.tsx";
import "./usage-page.css";

const route = "/$environment/usage";

export function UsagePage() {
  const { period } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const workspace = useWorkspace();
  const { data, error, isPending, refetch } = useQuery(usageQuery(workspace, period));
  const months = lastMonths(12);
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Usage</PageHeading>
        <Choice
          label="Month"
          value={period ?? months[0] ?? ""}
          options={months.map((month) => [month, month] as const)}
          onChange={(month) =>
            void navigate({ search: month === months[0] ? {} : { period: month } })
          }
        />
      </header>
      {isPending ? <Loading label="Loading the usage" /> : null}
      {error ? <Problem error={error} onRetry={refetch} /> : null}
      {data === undefined ? null : <Counters usage={data} />}
      <PlanPanel />
    </div>
  );
}

/** `2026-11`, `2026-10` …: calendar months in UTC, this one first. */
function lastMonths(count: number): readonly string[] {
  const now = new Date();
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

const counters = [
  ["connect", "Domains connected", "Each create that was not a resume."],
  ["active_domain", "Active domains", "The most at one time in the month."],
  ["cert", "Certificates", "Issued, renewals included."],
  ["api_call", "API calls", "Authenticated ones."],
] as const;

function Counters({ usage }: { readonly usage: Usage }) {
  const { environment } = useWorkspace();
  return (
    <section className="panel" aria-label="Usage">
      <header>
        <h2>Usage</h2>
        <p>
          <At at={usage.period.start} /> to <At at={usage.period.end} />
        </p>
      </header>
      {environment === "test" ? (
        <div className="body">
          <Note>The test environment is counted apart and never limited.</Note>
        </div>
      ) : null}
      <ul className="counters body">
        {counters.map(([name, title, meaning]) => {
          const limit = usage.limits[name];
          const used = usage.counters[name];
          return (
            <li key={name}>
              <div className="spread">
                <strong>{title}</strong>
                <span>
                  {used.toLocaleString()}
                  {limit === null ? "" : ` of ${limit.toLocaleString()}`}
                </span>
              </div>
              {limit === null ? null : (
                <meter
                  aria-label={`${title}: ${used} of ${limit}`}
                  min={0}
                  max={limit}
                  high={limit * 0.8}
                  optimum={0}
                  value={Math.min(used, limit)}
                />
              )}
              <p className="muted">{meaning}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function PlanPanel() {
  const workspace = useWorkspace();
  const { data: plans = [] } = useQuery(plansQuery(workspace));
  const { data: subscription } = useQuery(subscriptionQuery(workspace));
  const choose = useMutation({
    mutationFn: (plan: string) => workspace.api.subscription.start({ plan }),
    onSuccess: ({ checkout_url }) => globalThis.location.assign(checkout_url),
    onError: announceError,
  });
  // Where nothing is sold there is no plan to speak of.
  if (subscription === undefined || !isSold(plans, subscription)) return null;
  return (
    <section className="panel" aria-label="Plan">
      <header>
        <h2>Plan</h2>
        <Badge tone={subscription.status === "past_due" ? "bad" : "good"}>
          {subscription.plan}
          {subscription.status === "none" ? "" : `, ${words(subscription.status).toLowerCase()}`}
        </Badge>
      </header>
      {subscription.current_period_end === null ? null : (
        <p className="body">
          Paid until <At at={subscription.current_period_end} />.
        </p>
      )}
      <ul className="plans body">
        {plans.map(({ id, name, price_cents, currency, limits }) => (
          <li key={id} className="panel">
            <h3>{name}</h3>
            <p className="muted">
              {price_cents === 0 ? "Free" : `${price(price_cents, currency)} a month`}
            </p>
            <p>{limits.connect === null ? "No limits" : `${limits.connect} domains a month`}</p>
            {workspace.may("owner") && price_cents > 0 && id !== subscription.plan ? (
              <button
                type="button"
                className="button small"
                disabled={choose.isPending}
                onClick={() => choose.mutate(id)}
              >
                Choose
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A tenant of an installation that sells nothing has the plan of self-hosting. */
function isSold(plans: readonly Plan[], { plan, status }: Subscription): boolean {
  const own = plans.find(({ id }) => id === plan);
  return status !== "none" || (own !== undefined && own.limits.connect !== null);
}

function price(cents: number, currency: string): string {
  return (cents / 100).toLocaleString(undefined, { style: "currency", currency });
}
