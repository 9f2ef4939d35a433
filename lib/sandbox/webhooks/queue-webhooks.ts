import { createHmac } from "node:crypto";
import { asSentence } from "#lib/contracts/as-sentence";
import { BACK_DATED_HEADERS } from "#lib/contracts/events/back-dated";
import {
  lateScenario,
  missingScenario,
  type SandboxEventBody,
  type SandboxScenarioBody,
  type SandboxSent,
  type SandboxTraffic,
  type SandboxTrafficBody,
  sandboxScenario,
} from "#lib/contracts/sandbox";
import { freshSeed, seededRandom } from "#lib/sandbox/payloads";
import type { SigningSecrets } from "#lib/sandbox/sandbox-store";
import {
  BEGUN_BY,
  buildLateScenario,
  buildMissingScenario,
  buildScenario,
  generateTraffic,
  type ScenarioEvent,
} from "#lib/sandbox/scenarios";
import { findLastOfScenario, insertAll, type TryOutcome } from "./deliveries-store.ts";
import { type Outgoing, outgoingOf, outgoingOfScenario } from "./outgoing.ts";

const AT_ONCE = 5000;

const GENERATED_TRAFFIC = "generated_traffic";
/** Of the past: their events occurred long before they are sent. */
const BACK_DATED = new Set<string | null>([GENERATED_TRAFFIC, "run_never_ends"]);

export function queueEvent(workspaceId: string, request: SandboxEventBody, now: Date): Promise<SandboxSent> {
  return queue(workspaceId, outgoingOf(request, seededRandom(freshSeed()), now), now);
}

export async function queueScenario(workspaceId: string, request: SandboxScenarioBody, now: Date): Promise<SandboxSent> {
  const seed = freshSeed();
  const events = await eventsOf(workspaceId, request, seed, now);
  return queue(workspaceId, outgoingOfScenario(request.scenario, events, request.shuffled && events.length > 1, seededRandom(seed)), now);
}

async function eventsOf(workspaceId: string, { scenario, pace }: SandboxScenarioBody, seed: number, now: Date): Promise<ScenarioEvent[]> {
  const missing = missingScenario.safeParse(scenario);
  if (missing.success) return buildMissingScenario(missing.data, { seed, now: now.getTime() });
  const late = lateScenario.safeParse(scenario);
  if (late.success)
    return buildLateScenario(late.data, await findLastOfScenario(workspaceId, BEGUN_BY[late.data]), { seed, now: now.getTime() });
  return buildScenario(sandboxScenario.parse(scenario), { seed, startAt: now.getTime(), pace });
}

/** Queues the events of many documents, all due at once. */
export async function queueTraffic(
  workspaceId: string,
  { documents, days, seed = freshSeed() }: SandboxTrafficBody,
  now: Date,
): Promise<SandboxTraffic> {
  const envelopes = generateTraffic({ seed, documents, days, endAt: Math.floor(now.getTime() / 1000) });
  const events = envelopes.map((envelope) => ({ envelope, afterMs: 0 }));
  const { queued } = await queue(workspaceId, outgoingOfScenario(GENERATED_TRAFFIC, events, false, seededRandom(seed)), now);
  return { queued, seed };
}

async function queue(workspaceId: string, webhooks: Outgoing[], now: Date): Promise<SandboxSent> {
  for (let first = 0; first < webhooks.length; first += AT_ONCE) await insertAll(workspaceId, webhooks.slice(first, first + AT_ONCE), now);
  return { queued: webhooks.length, eventIds: [...new Set(webhooks.map(({ eventId }) => eventId))] };
}

const TIMEOUT_MS = 10_000;
const ANSWER_CHARACTERS = 300;

export type Posted = TryOutcome & { retryAfter: string | null };

/** Posts one webhook, signed as in docs/platform.md: hex HMAC-SHA256 of the exact body. Never throws: no answer is an outcome too. */
export async function postWebhook(
  url: string,
  body: Buffer,
  { secrets, fault, scenario, signal }: { secrets: SigningSecrets; fault: string | null; scenario: string | null; signal: AbortSignal },
): Promise<Posted> {
  const signature = signatureFor(body, secrets, fault);
  const headers = {
    "content-type": "application/json",
    ...(signature && { "x-webhook-signature": signature }),
    ...(BACK_DATED.has(scenario) && BACK_DATED_HEADERS),
  };
  return { ...(await post(url, body, headers, signal)), signature };
}

/** Posts once. Never throws: no answer is an outcome too. */
export async function post(
  url: string,
  body: Buffer,
  headers: Record<string, string>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Omit<Posted, "signature">> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new Uint8Array(body),
      headers: { "user-agent": "sandbox-platform/1", ...headers },
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const answer = (await beginningOf(response)).slice(0, ANSWER_CHARACTERS).replaceAll("\u0000", "");
    return { status: response.status, answer, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    return { status: null, answer: reasonOf(error), retryAfter: null };
  }
}

async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= ANSWER_CHARACTERS) break;
  }
  return text;
}

function signatureFor(body: Buffer, { current, before }: SigningSecrets, fault: string | null): string | null {
  if (fault === "no_signature") return null;
  const wrong = `not ${current}`;
  const key = fault === "wrong_signature" ? wrong : fault === "stale_signature" ? (before ?? wrong) : current;
  return createHmac("sha256", key).update(body).digest("hex");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "No response.";
  if (error.name === "TimeoutError") return `No response within ${TIMEOUT_MS / 1000} s.`;
  const { code } = (error.cause ?? {}) as { code?: string };
  return asSentence(`No response: ${code ?? error.message}`);
}
