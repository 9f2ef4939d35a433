import { createHmac } from "node:crypto";
import type { SigningSecrets } from "#lib/sandbox/platform-store";
import type { TryOutcome } from "./deliveries-store.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_CHARACTERS = 300;

export type Posted = TryOutcome & { retryAfter: string | null };

/** Posts one webhook, signed as in docs/platform.md: hex HMAC-SHA256 of the exact body. Never throws: no answer is an outcome too. */
export async function postWebhook(
  url: string,
  body: Buffer,
  { secrets, fault, signal }: { secrets: SigningSecrets; fault: string | null; signal: AbortSignal },
): Promise<Posted> {
  const signature = signatureFor(body, secrets, fault);
  const headers = { "content-type": "application/json", ...(signature && { "x-webhook-signature": signature }) };
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
  return `No response: ${code ?? error.message}.`;
}
