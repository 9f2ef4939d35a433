const ANY_ORIGIN = "http://signalbox.invalid";

/** Returns the path to go back to after sign-in, else the fallback. Browsers drop control characters: `/\n/evil.example` leads away. */
export function safeReturnTo(value: unknown, fallback = "/"): string {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value) || value.length > 2000) return fallback;
  const parsed = URL.parse(value, ANY_ORIGIN);
  // "/.//evil.example" is our path until its dot is removed: then it names another site.
  if (parsed?.origin !== ANY_ORIGIN || parsed.pathname.startsWith("//")) return fallback;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}
