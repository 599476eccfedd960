import type { ReactNode } from "react";
import { Field, SelectField, TextField } from "../ui/field.tsx";
import type { Choice, RuleName, RuleValues } from "./rule-values.ts";
import "./rules.css";

interface Props {
  readonly values: RuleValues;
  readonly onChange: (values: RuleValues) => void;
  /** A domain may have those of its application. */
  readonly hasApplication: boolean;
  readonly isPasswordStored: boolean;
}

const applicationChoices: readonly (readonly [Choice, string])[] = [
  ["off", "Off"],
  ["own", "On"],
];
const domainChoices: readonly (readonly [Choice, string])[] = [
  ["inherit", "As the application has it"],
  ["off", "Off"],
  ["own", "Its own"],
];

/** The five rules; the fields of one are shown while it is set here. */
export function RulesFields(props: Props) {
  const { values, onChange, hasApplication } = props;
  const set = (change: Partial<RuleValues>) => onChange({ ...values, ...change });
  return (
    <div className="rules">
      {rules.map(({ name, label, hint, Fields }) => (
        <div className="rule" key={name}>
          <SelectField<Choice>
            label={label}
            value={values[name]}
            options={hasApplication ? domainChoices : applicationChoices}
            onChange={(choice) => set({ [name]: choice })}
            hint={hint}
          />
          {values[name] === "own" ? (
            <div className="fields">
              <Fields values={values} set={set} isPasswordStored={props.isPasswordStored} />
            </div>
          ) : null}
        </div>
      ))}
    </div>
  );
}

interface FieldsProps extends Pick<Props, "values" | "isPasswordStored"> {
  readonly set: (change: Partial<RuleValues>) => void;
}

interface Rule {
  readonly name: RuleName;
  readonly label: string;
  readonly hint: string;
  readonly Fields: (props: FieldsProps) => ReactNode;
}

const rules: readonly Rule[] = [
  {
    name: "deny",
    label: "Denied networks",
    hint: "Visitors from these get 403.",
    Fields: ({ values, set }) => (
      <Networks value={values.denied} onChange={(denied) => set({ denied })} />
    ),
  },
  {
    name: "allow",
    label: "Allowed networks",
    hint: "Visitors from elsewhere get 403.",
    Fields: ({ values, set }) => (
      <Networks value={values.allowed} onChange={(allowed) => set({ allowed })} />
    ),
  },
  {
    name: "maintenance",
    label: "Maintenance",
    hint: "Visitors get 503 with your text.",
    Fields: MaintenanceFields,
  },
  {
    name: "rate_limit",
    label: "Rate limit",
    hint: "Beyond it visitors get 429. It holds on each machine of the edge.",
    Fields: RateFields,
  },
  {
    name: "basic_auth",
    label: "Sign-in",
    hint: "For previews; others get 401.",
    Fields: SignInFields,
  },
];

function Networks(props: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <TextArea
      label="Addresses and networks"
      value={props.value}
      onChange={props.onChange}
      hint="One per line. IPv4 networks hold IPv4 visitors, IPv6 networks the others."
      placeholder={"192.0.2.0/24\n2001:db8::/32"}
      isCode
    />
  );
}

function MaintenanceFields({ values, set }: FieldsProps) {
  return (
    <>
      <Field label="Until" hint="Then it ends by itself; empty: when you switch it off.">
        {(control) => (
          <input
            {...control}
            className="input"
            type="datetime-local"
            value={values.until}
            onChange={(event) => set({ until: event.target.value })}
          />
        )}
      </Field>
      <TextArea
        label="Text for visitors"
        value={values.page}
        onChange={(page) => set({ page })}
        hint="No HTML; empty for the usual text."
      />
    </>
  );
}

function RateFields({ values, set }: FieldsProps) {
  return (
    <div className="columns">
      <TextField
        label="Requests"
        type="number"
        isRequired
        value={values.requests}
        onChange={(requests) => set({ requests })}
      />
      <TextField
        label="In seconds"
        type="number"
        isRequired
        value={values.perSeconds}
        onChange={(perSeconds) => set({ perSeconds })}
      />
      <SelectField<RuleValues["by"]>
        label="Counted for"
        value={values.by}
        options={[
          ["visitor", "Each visitor"],
          ["host", "All visitors together"],
        ]}
        onChange={(by) => set({ by })}
      />
    </div>
  );
}

function SignInFields({ values, set, isPasswordStored }: FieldsProps) {
  const stored = "Empty: both stay as they are. It is never shown.";
  const fresh = "8 characters or more. It is never shown again.";
  return (
    <div className="columns">
      <TextField
        label="User name"
        isRequired
        value={values.username}
        onChange={(username) => set({ username })}
      />
      <TextField
        label="Password"
        type="password"
        isRequired={!isPasswordStored}
        value={values.password}
        onChange={(password) => set({ password })}
        hint={isPasswordStored ? stored : fresh}
      />
    </div>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint: string;
  readonly placeholder?: string;
  readonly isCode?: boolean;
}

function TextArea({ label, value, onChange, hint, placeholder, isCode = false }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <textarea
          {...control}
          className={isCode ? "input mono" : "input"}
          value={value}
          placeholder={placeholder}
          spellCheck={!isCode}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
