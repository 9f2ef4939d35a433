import { readTargetUrl, type TargetUrl } from "#lib/forwarding/check-target";

/** A URL as a target that may be called. */
export function targetUrl(text: string): TargetUrl {
  const read = readTargetUrl(text);
  if (!read.ok) throw new Error(read.reason);
  return read.target;
}
