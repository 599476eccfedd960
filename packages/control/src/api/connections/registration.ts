import { z } from "zod";
import {
  type Registration,
  registrationSnapshot,
} from "../../domain/registrations/registration.ts";
import { Time } from "../http/route.ts";

export const RegistrationBody = z
  .object({
    expires_at: Time.nullable().describe(
      "When the registration ends, by the registry; null where it does not say so for certain",
    ),
    status: z
      .array(z.string())
      .describe(
        "As EPP spells them: `clientHold`, `serverHold`, `redemptionPeriod` or `pendingDelete` take the domain out of DNS",
      ),
    registrar: z.string().nullable().describe("Its name; text of somebody else"),
    checked_at: Time.describe("When the registry last answered"),
  })
  .meta({ id: "Registration", description: "The registration of the domain, by RDAP" });

export function registrationBody(
  registration: Registration | null,
): z.input<typeof RegistrationBody> | null {
  return registration && registrationSnapshot(registration);
}
