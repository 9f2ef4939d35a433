export const HIDDEN = "[hidden]";

/** Returns only the origin, for histories and for people who may not change the URL: paths and queries hold tokens. */
export function maskedUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  return url.pathname === "/" && url.search === "" && url.hash === "" ? url.href : `${url.origin}/${HIDDEN}`;
}
