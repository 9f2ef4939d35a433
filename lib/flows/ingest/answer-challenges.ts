import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { type Asked, answerEvent, answerTo, asksFor, type ChallengeRequest, isEqual, secretIn } from "#lib/platform/schemes/challenges";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import type { SigningSecret, Verification } from "#lib/platform/signature";
import { inTime } from "#lib/time/waits";
import type { Receiver } from "./receiver.ts";
import { answerChallenge, json, type Outcome, reject, unavailable, type WebhookAnswer, type WebhookRequest } from "./webhook-answers.ts";

type Verified = Extract<Verification, { outcome: "verified" }>;

const NO_BODY = new Uint8Array();

const askedIn = ({ query = "", headers, body }: WebhookRequest): ChallengeRequest => ({
  query,
  headers,
  body: typeof body === "string" ? NO_BODY : body,
});

/** True if the source's sender asks by this method of HTTP, other than by POST. */
export const asksBy = ({ challenges }: ReceivingSource, method: string): boolean =>
  challenges.some(({ asked }) => asked === method.toLowerCase());

/** True while the sender may bring the source's secret: then it has none yet, and its question is answered all the same. */
export const isLearning = ({ learnsSecretUntil, challenges }: ReceivingSource, now: number): boolean =>
  learnsSecretUntil !== undefined && learnsSecretUntil > now && challenges.some(({ learning }) => learning !== undefined);

/** Answers a question that a sender asks without proof; null for any other request. The first challenge and secret that fit count. */
export async function answerQuestion(
  receiver: Receiver,
  request: WebhookRequest,
  source: ReceivingSource,
  secrets: readonly SigningSecret[],
): Promise<Outcome | null> {
  const asked = request.method.toLowerCase() as Asked;
  const question = askedIn(request);
  // A source of public keys alone has none of its own.
  const values = source.scheme.needsSecret && secrets.length > 0 ? secrets.map(({ value }) => value) : [null];
  for (const challenge of source.challenges) {
    if (challenge.asked !== asked) continue;
    const [answer] = values.flatMap((value) => answerTo(challenge, question, value) ?? []);
    if (answer === undefined) continue;
    const brought = challenge.learning?.secret === undefined ? null : secretIn(challenge, question);
    // Its sender asks again where our answer was lost.
    if (brought !== null && secrets.some(({ value }) => isEqual(value, brought))) return answerChallenge(answer);
    if (challenge.learning !== undefined && !isLearning(source, receiver.clock.now())) continue;
    if (challenge.learning?.secret === undefined) return answerChallenge(answer);
    const learnt = brought === null ? "refused" : await inTime(learn(receiver, source, brought), LEARN_MS, () => "unavailable" as const);
    if (learnt === "unavailable") return unavailable("unavailable");
    if (learnt === "learnt") return answerChallenge(answer);
  }
  return null;
}

/** Milliseconds of the 5 s in which every webhook is answered. */
const LEARN_MS = 4000;

/** Keeps the secret that a sender brings. `refused`: another one came first. */
async function learn({ learnSecret }: Receiver, { workspaceId, id }: ReceivingSource, secret: string) {
  try {
    return (await learnSecret({ workspaceId, sourceId: id, secret })) ? "learnt" : "refused";
  } catch {
    return "unavailable";
  }
}

/** Answers a question that has verified; null for an event. A late one is a copy. A URL to visit is stored for a worker before the answer. */
export async function answerSigned(
  { fetches }: Pick<Receiver, "fetches">,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  { secretId, form }: Verified,
): Promise<Outcome | null> {
  const question = { ...askedIn(request), body };
  const secret = source.secrets.find(({ id }) => id === secretId)?.value ?? null;
  for (const challenge of source.challenges) {
    const answer = challenge.asked === "signed" ? answerTo(challenge, question, secret) : null;
    if (answer !== null) return form === "signed_late" ? tooOld() : answerChallenge(answer);
  }
  const url = TEMPLATES[source.template].confirmation?.(body) ?? null;
  if (url === null) return null;
  const { workspaceId, id: sourceId } = source;
  const isAsked = await fetches.ask({ workspaceId, sourceId, kind: "confirmation", url });
  if (!isAsked) return unavailable("overloaded", "Too many subscriptions are waiting to be confirmed. Send this one again.");
  return { outcome: "challenge", answer: json(200, { received: true }) };
}

const tooOld = (): Outcome => reject(401, "signature_expired", "The challenge is too old", "Have the sender ask again.");

/** True for an empty list that asks whether signatures are checked: it has nothing to keep, whoever sent it. */
export const asksWithNothing = (source: ReceivingSource, request: WebhookRequest): boolean =>
  source.challenges.some(
    (challenge) => challenge.asked === "signed" && challenge.when?.some(({ empty }) => empty) && asksFor(challenge, askedIn(request)),
  );

/** Returns the answer to an event that was taken, as its sender wants it. */
export function inSendersWords(answer: WebhookAnswer, { answer: wanted }: ReceivingSource, request: WebhookRequest): WebhookAnswer {
  return wanted === undefined || answer.status >= 300 ? answer : answerEvent(wanted, askedIn(request));
}
