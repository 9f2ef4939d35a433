/** A bucket and what stands before each name in it: nothing, or a path with a slash at its end. */
export type StorePlace = { bucket: string; prefix: string };

/**
 * Reads `s3://bucket/prefix`.
 *
 * @returns null when it is something else
 */
export function parseStoreUrl(text: string): StorePlace | null {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.\-/]*))?$/.exec(text) ?? [];
  const prefix = rest.replace(/\/$/, "");
  if (!bucket || (prefix !== "" && prefix.split("/").some((part) => /^\.{0,2}$/.test(part)))) return null;
  return { bucket, prefix: prefix === "" ? "" : `${prefix}/` };
}

/** The other way: `s3://bucket/prefix`, as it is shown. */
export const formatStoreUrl = ({ bucket, prefix }: StorePlace): string => `s3://${bucket}/${prefix}`.replace(/\/$/, "");
