import type { HTMLAttributes } from "svelte/elements";
import type { SvcConnectAttributes, SvcConnectElement, SvcConnectProperties } from "./element.mjs";

export {
  type SvcConnectAttributes,
  SvcConnectElement,
  type SvcConnectProperties,
} from "./element.mjs";

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "svc-connect": HTMLAttributes<SvcConnectElement> & SvcConnectAttributes & SvcConnectProperties;
  }
}
