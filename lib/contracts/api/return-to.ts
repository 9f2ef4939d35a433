const ANY_ORIGIN = "http://signalbox.invalid";

/**
 * The address to go back to after sign-in, when it is one of ours; else the
 * fallback. Accepts paths only: `//evil.example`, `/\evil.example` and the
 * same with control characters between (browsers drop those) are rejected.
 */
export function safeReturnTo(value: unknown, fallback = "/"): string {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value) || value.length > 2000) return fallback;
  const parsed = URL.parse(value, ANY_ORIGIN);
  // "/.//evil.example" is a path of ours until its dot is taken out: then it names another site.
  if (parsed?.origin !== ANY_ORIGIN || parsed.pathname.startsWith("//")) return fallback;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}
