import { type ElementType, Fragment, type ReactNode, useEffect } from "react";

/**
 * Takes the place of react-remove-scroll, which the Radix dialogs and menus import: that one writes
 * a `<style>` element, which our content security policy forbids. Here the page behind stops
 * scrolling by a class of the style sheet.
 */
interface Props {
  readonly as?: ElementType;
  readonly children?: ReactNode;
  readonly allowPinchZoom?: boolean;
  readonly shards?: unknown;
}

let locks = 0;

export function RemoveScroll({ as: Tag = Fragment, children }: Props) {
  useEffect(() => {
    locks += 1;
    document.documentElement.classList.add("scroll-locked");
    return () => {
      locks -= 1;
      if (locks === 0) document.documentElement.classList.remove("scroll-locked");
    };
  }, []);
  return <Tag>{children}</Tag>;
}
