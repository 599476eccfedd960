import type { Application } from "@mooring/sdk";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { applicationRules, type RuleValues, readRules } from "../rules/rule-values.ts";
import { RulesFields } from "../rules/rules-fields.tsx";
import { Problem } from "../ui/status.tsx";
import { useSaveApplication } from "./save-application.ts";

/** Which requests the edge serves for the application's domains. */
export function RulesPanel({ application }: { readonly application: Application }) {
  const { may } = useWorkspace();
  const save = useSaveApplication(application.id);
  const [values, setValues] = useState<RuleValues>(() => readRules(application.edge, "off"));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { edge: applicationRules(values) },
      { onSuccess: () => setValues({ ...values, password: "" }) },
    );
  };
  return (
    <section className="panel" aria-label="Rules for requests">
      <header>
        <h2>Rules for requests</h2>
      </header>
      <form className="form body" onSubmit={submit}>
        <fieldset className="plain" disabled={!may("developer")}>
          <RulesFields
            values={values}
            onChange={setValues}
            hasApplication={false}
            isPasswordStored={application.edge.basic_auth !== null}
          />
          {save.isError ? <Problem error={save.error} /> : null}
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save rules
          </button>
        </fieldset>
      </form>
    </section>
  );
}
