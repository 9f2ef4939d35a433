/** Stands for what is not shown. */
export const HIDDEN = "[hidden]";

/**
 * A URL as those see it who may not change it, and as histories keep it: where it leads, and that there is more. Paths
 * and queries of webhook URLs hold tokens.
 */
export function maskedUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  return url.pathname === "/" && url.search === "" && url.hash === "" ? url.href : `${url.origin}/${HIDDEN}`;
}
