import { Copy } from "./copy.tsx";
import { Note } from "./status.tsx";

interface Props {
  readonly title: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** A secret that is shown once and can be read nowhere afterwards. */
export function SecretOnce({ title, secret, onDone }: Props) {
  return (
    <div className="stack">
      <Note tone="wait">{title}. Store it now: it is not shown again.</Note>
      <div className="secret">
        <Copy text={secret} label="the secret" />
      </div>
      <div className="row">
        <button type="button" className="button primary" onClick={onDone}>
          I have stored it
        </button>
      </div>
    </div>
  );
}
