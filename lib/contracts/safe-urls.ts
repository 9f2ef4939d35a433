const ANY_ORIGIN = "http://signalbox.invalid";

/** Returns the path to go back to after sign-in, else "/". Browsers drop control characters: `/\n/evil.example` leads away. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value) || value.length > 2000) return "/";
  const parsed = URL.parse(value, ANY_ORIGIN);
  // "/.//evil.example" is our path until its dot is removed: then it names another site.
  if (parsed?.origin !== ANY_ORIGIN || parsed.pathname.startsWith("//")) return "/";
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}

export const HIDDEN = "[hidden]";

/** Returns only the origin, for histories and for people who may not change the URL: paths and queries hold tokens. */
export function maskedUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  return url.pathname === "/" && url.search === "" && url.hash === "" ? url.href : `${url.origin}/${HIDDEN}`;
}
