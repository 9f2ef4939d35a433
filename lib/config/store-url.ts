/** `prefix` is empty or ends with a slash. */
export type StorePlace = { bucket: string; prefix: string };

export function parseStoreUrl(text: string): StorePlace | null {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.\-/]*))?$/.exec(text) ?? [];
  const prefix = rest.replace(/\/$/, "");
  if (!bucket || (prefix !== "" && prefix.split("/").some((part) => /^\.{0,2}$/.test(part)))) return null;
  return { bucket, prefix: prefix === "" ? "" : `${prefix}/` };
}

export const formatStoreUrl = ({ bucket, prefix }: StorePlace): string => `s3://${bucket}/${prefix}`.replace(/\/$/, "");
