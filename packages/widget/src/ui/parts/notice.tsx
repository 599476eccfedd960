import type { Child } from "../../jsx/jsx-runtime.ts";
import { globeIcon, Icon, warnIcon } from "./icon.tsx";

const icons = { info: globeIcon, warn: warnIcon, bad: warnIcon } as const;

/** A remark beside the flow. */
export function Notice({
  tone,
  title,
  id,
  children,
}: {
  readonly tone: keyof typeof icons;
  readonly title?: string;
  readonly id: string;
  readonly children?: Child;
}) {
  return (
    <div class={`notice ${tone}`} data-testid={`svc-${id}`}>
      <Icon path={icons[tone]} />
      <div class="notice-body">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}
