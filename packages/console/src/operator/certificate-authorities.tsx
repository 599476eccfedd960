import type { CaBudget, OperatorCa } from "@mooring/sdk";
import { Badge, Note } from "../ui/status.tsx";
import { At, shortDuration } from "../ui/time.tsx";

/** Each CA with its budget: what may be ordered now, what was, and what waits. */
export function CertificateAuthorities(props: { readonly authorities: readonly OperatorCa[] }) {
  return (
    <ul className="authorities body">
      {props.authorities.map((authority) => (
        <li key={authority.issuer}>
          <Authority authority={authority} />
        </li>
      ))}
    </ul>
  );
}

const limits: readonly (readonly [keyof OperatorCa["waiting_for"], string])[] = [
  ["orders", "for the orders of the account"],
  ["renewals", "for the pace of renewals"],
  ["domain", "for the certificates of their domain"],
  ["name", "for the certificates of their name"],
  ["failures", "after failures of their name"],
];

function Authority({ authority }: { readonly authority: OperatorCa }) {
  const { issuer, waiting_for, budget } = authority;
  const waiting = limits.filter(([limit]) => waiting_for[limit] > 0);
  return (
    <div className="stack-tight">
      <h3 className="breakable">{issuer}</h3>
      {budget === null ? null : <Budget budget={budget} />}
      <dl className="facts">
        <dt>Issued</dt>
        <dd>
          {authority.issued_last_day.toLocaleString()} in a day,{" "}
          {authority.issued_last_week.toLocaleString()} in a week
        </dd>
        <dt>Failing</dt>
        <dd>
          {authority.failing === 0 ? (
            "None"
          ) : (
            <Badge tone="bad">{authority.failing.toLocaleString()} names</Badge>
          )}
        </dd>
        <dt>Waiting</dt>
        <dd>
          {waiting.length === 0
            ? "None"
            : waiting
                .map(([limit, text]) => `${waiting_for[limit].toLocaleString()} ${text}`)
                .join(", ")}
        </dd>
      </dl>
    </div>
  );
}

function Budget({ budget }: { readonly budget: CaBudget }) {
  return (
    <>
      {budget.held_until === null ? null : (
        <Note tone="bad">
          {budget.held_for === "ca_unavailable"
            ? "The CA does not answer; the next order is tried at "
            : "The CA has asked to wait until "}
          <At at={budget.held_until} />.
        </Note>
      )}
      <Allowance name="New orders" allowance={budget.orders} />
      <Allowance name="Renewals" allowance={budget.renewals} />
    </>
  );
}

function Allowance(props: { readonly name: string; readonly allowance: CaBudget["orders"] }) {
  const { name, allowance } = props;
  if (allowance === null) return null;
  const { left, limit, per_s } = allowance;
  return (
    <div>
      <div className="spread">
        <strong>{name}</strong>
        <span>
          {left.toLocaleString()} of {limit.toLocaleString()} left in {shortDuration(per_s)}
        </span>
      </div>
      <meter
        aria-label={`${name}: ${left} of ${limit} left`}
        min={0}
        max={limit}
        low={limit * 0.1}
        optimum={limit}
        value={left}
      />
    </div>
  );
}
