import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./status.tsx";

interface Props {
  /** The text of the button that opens the question. */
  readonly label: ReactNode;
  readonly title: string;
  readonly description: ReactNode;
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly className?: string;
  readonly isDisabled?: boolean;
}

/** A button for what cannot be taken back: it asks first, and says what will happen. */
export function ConfirmButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const mutation = useMutation({ mutationFn: props.run, onSuccess: () => setOpen(false) });
  const open = () => {
    mutation.reset();
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className={props.className ?? "button danger"}
        disabled={props.isDisabled === true}
        onClick={open}
      >
        {props.label}
      </button>
      <Dialog
        title={props.title}
        description={props.description}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {mutation.isError ? <Problem error={mutation.error} /> : null}
        <footer>
          <button type="button" className="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
          <button
            type="button"
            className="button danger"
            disabled={mutation.isPending}
            onClick={() => mutation.mutate()}
          >
            {props.action}
          </button>
        </footer>
      </Dialog>
    </>
  );
}
