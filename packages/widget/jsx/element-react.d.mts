import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { SvcConnectAttributes, SvcConnectElement, SvcConnectProperties } from "./element.mjs";

export {
  type SvcConnectAttributes,
  SvcConnectElement,
  type SvcConnectProperties,
} from "./element.mjs";

/** React sets properties of elements since 19; before, it would write them as text. */
type SetProperties = "use" extends keyof typeof import("react") ? SvcConnectProperties : unknown;

type Props = DetailedHTMLProps<HTMLAttributes<SvcConnectElement>, SvcConnectElement> &
  SvcConnectAttributes &
  SetProperties;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "svc-connect": Props;
    }
  }
}
