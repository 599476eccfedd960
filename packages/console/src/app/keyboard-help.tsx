import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type KeyMap, useKeys } from "../ui/keys.ts";
import { sections } from "./sections.ts";

const help: readonly (readonly [keys: string, does: string])[] = [
  ["Ctrl K", "Find a domain, a page or an action"],
  ["/", "Search in this list"],
  ["j  k", "Next and previous row"],
  ["Enter", "Open the row"],
  ["x", "Select the row"],
  ...sections.map(({ key, name }) => [`g ${key}`, name] as const),
  ["?", "This list"],
];

/** How long `g` waits for the letter of a section. */
const sequenceMs = 1_500;

/** `g` and a letter goes to a section; `?` lists the keys. */
export function KeyboardHelp() {
  const { environment, may } = useWorkspace();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const go: KeyMap = Object.fromEntries(
    sections
      .filter(({ least }) => may(least))
      .map(({ key, to }) => [
        key,
        () => {
          if (performance.now() - pressedAt.current > sequenceMs) return;
          pressedAt.current = Number.NEGATIVE_INFINITY;
          void navigate({ to, params: { environment } });
        },
      ]),
  );
  useKeys({
    ...go,
    g: () => {
      pressedAt.current = performance.now();
    },
    "?": () => setOpen(true),
  });
  return (
    <Dialog title="Keyboard" isOpen={isOpen} onClose={() => setOpen(false)}>
      <dl className="facts">
        {help.map(([keys, does]) => (
          <div key={keys} className="facts-row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
