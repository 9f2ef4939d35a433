import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import type { SigningSecret } from "#lib/platform/signature";
import type { Receiver } from "./receiver.ts";
import { answerChallenge, json, type Outcome, unavailable } from "./webhook-answers.ts";
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
    if (answer !== null && "body" in answer) return answerChallenge(answer);
  }
  return null;
}

/**
 * The same of a request that has verified, with the secret that it verified with; null for an event. What is to be
 * visited for it, a worker visits: it is written down before the answer.
 *
 * @throws whatever the database failed with
 */
export async function answerSigned(
  { fetches }: Pick<Receiver, "fetches">,
  { query = "" }: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  secretId: string,
): Promise<Outcome | null> {
  const { challenge } = TEMPLATES[source.template];
  if (challenge?.asked !== "signed") return null;
  const answer = challenge.answer({ query, body }, source.secrets.find(({ id }) => id === secretId)?.value ?? "");
  if (answer === null || "body" in answer) return answer && answerChallenge(answer);
  const { workspaceId, id: sourceId } = source;
  const isAsked = await fetches.ask({ workspaceId, sourceId, kind: "confirmation", url: answer.visit });
  if (!isAsked) return unavailable("overloaded", "Too many subscriptions are waiting to be confirmed. Send this one again.");
  return { outcome: "challenge", answer: json(200, { received: true }) };
}

/** Signed with a certificate that is not here: a worker fetches it, and the sender sends the message again. */
export async function askForCertificate(
  { fetches }: Pick<Receiver, "fetches">,
  { workspaceId, id: sourceId }: ReceivingSource,
  url: string,
): Promise<Outcome> {
  await fetches.ask({ workspaceId, sourceId, kind: "certificate", url }).catch(() => undefined);
  return unavailable(
    "certificate_not_fetched",
    "Signalbox is fetching the certificate that it is signed with. Send it again in a few seconds.",
  );
}
