import { generateEmail } from "../../services/email/apply.ts";
import { GenerateEmail } from "../../services/email/schemas.ts";
import { EmailRecordsBody, emailRecordsBody } from "../replies/email.ts";
import { defineRoute } from "../route.ts";

export const generateEmailRoute = defineRoute({
  method: "POST",
  path: "/v1/email/records",
  tag: "Email",
  summary: "Generate the mail records of a domain for a mailbox provider",
  description:
    "Looks at nothing and writes nothing. What only the provider's console knows is left out, and a note says where it is found.",
  scopes: ["connections:read", "connections:write"],
  body: GenerateEmail,
  output: EmailRecordsBody,
  statuses: [200],
  run: (ctx, { body }) => generateEmail(ctx, body),
  reply: emailRecordsBody,
});
