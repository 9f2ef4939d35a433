import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import type { SigningSecret } from "#lib/platform/signature";
import type { Receiver } from "./receiver.ts";
import { answerChallenge, json, type Outcome, unavailable } from "./webhook-answers.ts";
import type { WebhookRequest } from "./webhook-request.ts";

const NO_BODY = new Uint8Array();

/** Answers a question that a sender asks without proof; null for any other request. The first secret that fits counts. */
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

/** Answers a question that has verified; null for an event. A URL to visit is stored for a worker before the answer. */
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

/** Has a worker fetch the unknown signing certificate; the sender repeats the message. */
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
