import type { Child } from "../../jsx/jsx-runtime.ts";
import { Spinner } from "./icon.tsx";

export interface ButtonProps {
  readonly look?: "primary" | "quiet" | "link";
  readonly id: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly isSubmit?: boolean;
  readonly onPress?: () => void;
  readonly children: Child;
}

/** Its id is the end of its `data-testid`. A busy one keeps the focus, and does nothing. */
export function Button(props: ButtonProps) {
  const { look = "quiet", id, isBusy = false, isDisabled = false, isSubmit, onPress } = props;
  const isIdle = !isBusy && !isDisabled;
  return (
    <button
      type={isSubmit === true ? "submit" : "button"}
      class={`button ${look}`}
      data-testid={`svc-${id}`}
      aria-disabled={!isIdle}
      aria-busy={isBusy}
      onClick={isIdle ? onPress : prevent}
    >
      {isBusy && <Spinner />}
      {props.children}
    </button>
  );
}

function prevent(event: Event): void {
  event.preventDefault();
}
