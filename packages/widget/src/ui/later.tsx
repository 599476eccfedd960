import { enLater } from "../locales/en-later.ts";
import { css } from "../styles/later.css";
import { liveText } from "./live-text.ts";
import { AutomaticSetup } from "./screens/automatic-setup.tsx";
import { Email } from "./screens/email.tsx";
import { ErrorScreen } from "./screens/error.tsx";
import { InProgress } from "./screens/in-progress.tsx";
import { ManualConfiguration } from "./screens/manual-configuration.tsx";
import { Success } from "./screens/success.tsx";

/**
 * The screens after the first ones, with their words and looks. The script for pages leaves them to a
 * second request, made when the widget opens, so that a page pays for the button alone.
 */
export const later = {
  screens: {
    automatic_setup: AutomaticSetup,
    manual_configuration: ManualConfiguration,
    in_progress: InProgress,
    email: Email,
    success: Success,
    error: ErrorScreen,
  },
  liveText,
  messages: enLater,
  css,
} as const;

export type Later = typeof later;
