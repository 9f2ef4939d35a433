import type { AttemptResult } from "./send-attempt.ts";
import { withoutSecret } from "./without-secret.ts";

/** A result without the path and query that it was sent to: a target may repeat them in a redirect or an error page. */
export function withoutUrl(result: AttemptResult, url: string): AttemptResult {
  const hidden = (text: string) => withoutSecret(text, url);
  const { answer } = result;
  return {
    ...result,
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

/** Byte by byte: a body that is no text stays what it is. */
function withoutIn(body: Buffer, hidden: (text: string) => string): Buffer {
  const text = body.toString("latin1");
  const rest = hidden(text);
  return rest === text ? body : Buffer.from(rest, "latin1");
}
