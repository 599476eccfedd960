import { type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";

interface Props {
  readonly text: string;
  /** What is copied, for the button's name. */
  readonly label: string;
  readonly children?: ReactNode;
}

/** A value with a button that copies it. */
export function Copy({ text, label, children }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span className="copy">
      {children ?? <code>{text}</code>}
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        <Icon name={isCopied ? "check" : "copy"} />
      </button>
      <span className="visually-hidden" role="status">
        {isCopied ? "Copied." : ""}
      </span>
    </span>
  );
}

/** Pages over plain HTTP that are not on localhost have no clipboard interface. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
