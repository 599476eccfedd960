import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface MenuProps {
  readonly label: ReactNode;
  /** The button's name where its content is only an icon. */
  readonly name?: string;
  readonly className?: string;
  readonly align?: "start" | "end";
  readonly children: ReactNode;
}

export function Menu({ label, name, className, align = "end", children }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <button type="button" className={className ?? "button"} aria-label={name}>
          {label}
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  readonly onSelect: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, isDisabled = false, children }: ItemProps) {
  return (
    <Radix.Item onSelect={onSelect} disabled={isDisabled}>
      {children}
    </Radix.Item>
  );
}

interface CheckItemProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

/** Stays open, so that several can be chosen. */
export function MenuCheckItem({ isChecked, onChange, children }: CheckItemProps) {
  return (
    <Radix.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="mark">{isChecked ? <Icon name="check" /> : null}</span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function MenuLine() {
  return (
    <Radix.Separator asChild>
      <hr />
    </Radix.Separator>
  );
}
