import { stepBack } from "../../machine/automating.ts";
import type { Ui } from "../ui.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** The service's own words about what the provider did. */
export function SetupProblem({ ui }: { readonly ui: Ui }) {
  const { problem } = ui.state.automatic;
  if (problem === null) return null;
  return (
    <Notice tone="bad" title={ui.t("automatic_problem")} id="setup-problem">
      <p role="alert" lang="en">
        {problem.message}
      </p>
    </Notice>
  );
}

/** Back leads to the choice, where there was one; otherwise to the records. */
export function BackOrManual({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isFirst = stepBack(state).mode === state.automatic.mode;
  if (isFirst) {
    return (
      <Button
        look="link"
        id="method-manual"
        isDisabled={state.busy !== null}
        onPress={() => send({ type: "method_chosen", method: "manual" })}
      >
        {t("analysis_by_hand")}
      </Button>
    );
  }
  return (
    <Button id="back" isDisabled={state.busy !== null} onPress={() => send({ type: "back" })}>
      {t("back")}
    </Button>
  );
}
