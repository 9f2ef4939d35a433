/** Returns URLs that a sender may have signed before a proxy changed them to ours: scheme, port, slash and query. */
export function urlVariants(url: string): string[] {
  const parts = /^(https?):\/\/([^/:?#]+)(:\d+)?([^?]*)(\?.*)?$/s.exec(url);
  if (!parts) return [];
  const [, , host, port = "", path = "", query = ""] = parts;
  const variants = ["https", "http"].flatMap((scheme) =>
    ["", port].flatMap((at) =>
      [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`].flatMap((way) =>
        [query, ""].map((rest) => `${scheme}://${host}${at}${way}${rest}`),
      ),
    ),
  );
  return [...new Set(variants)].filter((variant) => variant !== url);
}
