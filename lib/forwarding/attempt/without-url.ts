import type { AttemptResult } from "./send-attempt.ts";
import { withoutSecret } from "./without-secret.ts";

/** Hides the URL's path and query and the secrets in a result: a target may repeat them in a redirect or an error page. */
export function withoutUrl(result: AttemptResult, url: string, secrets: readonly string[] = []): AttemptResult {
  const hidden = (text: string) => [url, ...secrets].reduce(withoutSecret, text);
  const { answer, requestHeaders } = result;
  return {
    ...result,
    requestHeaders: Object.fromEntries(Object.entries(requestHeaders).map(([name, value]) => [name, secrets.reduce(withoutSecret, value)])),
    detail: hidden(result.detail),
    answer: answer && {
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(hidden) : hidden(value)]),
      ),
      body: withoutIn(answer.body, hidden),
    },
  };
}

/** Byte by byte, so that a body that is no text stays intact. */
function withoutIn(body: Buffer, hidden: (text: string) => string): Buffer {
  const text = body.toString("latin1");
  const rest = hidden(text);
  return rest === text ? body : Buffer.from(rest, "latin1");
}
