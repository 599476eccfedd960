import { type ReactNode, useId } from "react";

interface Props {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | null;
  /** Gets the id and the attributes that connect the control with its label and texts. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

/** A labelled control with a hint and what is wrong with its value. */
export function Field({ label, hint, problem = null, children }: Props) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, problem ? `${id}-problem` : null].filter(
    (part) => part !== null,
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
        "aria-invalid": problem !== null,
      })}
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {problem ? (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      ) : null}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly problem?: string | null;
  readonly type?: "text" | "url" | "email" | "password" | "number" | "color";
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hint, problem = null, type = "text" } = props;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          className="input"
          type={type}
          value={value}
          placeholder={props.placeholder}
          required={props.isRequired}
          disabled={props.isDisabled}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
  readonly hint?: ReactNode;
  readonly isDisabled?: boolean;
}

export function SelectField<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, hint, isDisabled } = props;
  const choose = (text: string) => {
    const option = options.find(([candidate]) => candidate === text);
    if (option !== undefined) onChange(option[0]);
  };
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          disabled={isDisabled}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map(([candidate, text]) => (
            <option key={candidate} value={candidate}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
