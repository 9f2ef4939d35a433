import { z } from "zod";
import { env } from "#lib/config/env";
import { bodyTextOf } from "#lib/http/body/request-body";
import { pageResponse, redirectResponse } from "#lib/sandbox/http-answers";
import { checkAuthorizationRequest } from "./authorization-request.ts";
import { decide } from "./decide.ts";
import { dialogFault } from "./dialog-faults.ts";
import { dialogPage, rejectionPage } from "./dialog-page.ts";
import { browserIdOf, dialogCookie, openTicket, signTicket } from "./dialog-ticket.ts";
import { ACCOUNTS, registeredApp } from "./registered-app.ts";

export function answerAuthorize(request: Request, now: Date): Response {
  const app = registeredApp();
  const checked = checkAuthorizationRequest(new URL(request.url).searchParams, app);
  if (checked.outcome === "redirect") return redirectResponse(checked.location);
  if (checked.outcome === "reject") return pageResponse(rejectionPage(checked.reason, env().APP_URL), 400);
  const browserId = browserIdOf(request.headers.get("cookie"));
  const ticket = signTicket(checked.request, browserId, now);
  return pageResponse(dialogPage(checked.request, app.name, ticket), 200, dialogCookie(browserId));
}

const decisionForm = z.object({
  ticket: z.string(),
  decision: z.enum(["approve", "deny"]),
  account: z.enum(ACCOUNTS.map(({ id }) => id)).default(ACCOUNTS[0].id),
  fault: z.preprocess((value) => (value === "" ? null : value), dialogFault.nullable().default(null)),
});

export async function answerDecision(request: Request, now: Date): Promise<Response> {
  const form = decisionForm.safeParse(Object.fromEntries(new URLSearchParams(await bodyTextOf(request))));
  const browserId = browserIdOf(request.headers.get("cookie"));
  const asked = form.success ? openTicket(form.data.ticket, browserId, now) : null;
  if (!form.success || !asked) return pageResponse(rejectionPage("ticket_rejected", env().APP_URL), 400);
  const { decision, account, fault } = form.data;
  const location = await decide(asked, { approved: decision === "approve", account, fault }, now);
  if (location === null) return pageResponse(rejectionPage("callback_not_registered", env().APP_URL), 400);
  return redirectResponse(location);
}
