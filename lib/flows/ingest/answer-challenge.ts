import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import type { SigningSecret } from "#lib/platform/signature";
import { answerChallenge, type Outcome } from "./webhook-answers.ts";
import type { WebhookRequest } from "./webhook-request.ts";

const NO_BODY = new Uint8Array();

/**
 * The answer to a question that a sender asks without any proof; null for any other request, and for one that this
 * source's sender doesn't ask. Of several secrets the first that it can be answered with counts.
 */
export function answerQuestion(
  { method, query = "", body }: WebhookRequest,
  { template }: ReceivingSource,
  secrets: readonly SigningSecret[],
): Outcome | null {
  const { challenge } = TEMPLATES[template];
  if (challenge === undefined || challenge.asked !== method.toLowerCase()) return null;
  const asked = { query, body: typeof body === "string" ? NO_BODY : body };
  for (const { value } of secrets) {
    const answer = challenge.answer(asked, value);
    if (answer !== null) return answerChallenge(answer);
  }
  return null;
}

/** The same of a request that has verified, with the secret that it verified with; null for an event. */
export function answerSigned(
  { query = "" }: WebhookRequest,
  body: Uint8Array,
  { template, secrets }: ReceivingSource,
  secretId: string,
): Outcome | null {
  const { challenge } = TEMPLATES[template];
  if (challenge?.asked !== "signed") return null;
  const answer = challenge.answer({ query, body }, secrets.find(({ id }) => id === secretId)?.value ?? "");
  return answer && answerChallenge(answer);
}
