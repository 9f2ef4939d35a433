import { usageError } from "../output/exit.ts";

/** Accepts `4000`, `localhost:4000/hooks` or a full URL. */
export function targetUrl(text: string): URL {
  const full = /^\d+$/.test(text) ? `http://localhost:${text}/` : /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full))
    throw usageError(`"${text}" is neither a port nor a URL.`, "Write 4000, localhost:4000/webhooks or https://staging.example");
  return new URL(full);
}

/** Returns the URL without credentials and query, for display. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

export function countOf(text: string, flag: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw usageError(`${flag} must be a whole number from 1 to 10,000, not "${text}".`);
  return count;
}
