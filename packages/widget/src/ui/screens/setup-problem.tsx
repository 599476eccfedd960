import type { Problem } from "../../machine/state.ts";
import { Button, Notice } from "../parts.tsx";
import { providerOf, shownDomain, type Ui } from "../screen.tsx";

const kinds = [
  "auth",
  "not_found",
  "rate_limited",
  "unavailable",
  "conflict",
  "unsupported",
] as const;

type Refusal = (typeof kinds)[number] | "invalid" | "other";

function classifyRefusal({ code, kind }: Problem): Refusal {
  if (code === "invalid") return "invalid";
  if (code === "rate_limited") return "rate_limited";
  if (code === "network" || code === "timeout" || code === "unavailable") return "unavailable";
  return kinds.find((one) => one === kind) ?? "other";
}

/** What the provider answered, in plain words, and the way that always works. */
export function SetupProblem({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { problem, mode } = state.automatic;
  if (problem === null) return null;
  const provider = providerOf(state) ?? t("your_provider");
  const zone = state.check?.registrable_domain ?? shownDomain(state);
  return (
    <div data-reveal={`problem ${problem.message}`}>
      <Notice tone="bad" title={t("automatic_problem")} id="setup-problem">
        <p role="alert">
          {t(`refused_${classifyRefusal(problem)}`, { provider, zone })}
          {/* A preview changes nothing; a failed write may have. */}
          {mode === "credential" && ` ${t("refused_nothing")}`}
        </p>
        {/* The service's own message is for developers, in English. */}
        {ui.locale === "en" && (
          <details>
            <summary>{t("diagnosis_evidence")}</summary>
            <p data-testid="svc-provider-said">{problem.message}</p>
          </details>
        )}
        {mode !== "choose" && (
          <Button
            variant="link"
            id="problem-manual"
            onPress={() => send({ type: "method_chosen", method: "manual" })}
          >
            {t("analysis_by_hand")}
          </Button>
        )}
      </Notice>
    </div>
  );
}
