import { notFound } from "next/navigation";
import { isStorableText } from "#lib/contracts/api/bounds";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export function searchParamsOf(read: Awaited<SearchParams>): URLSearchParams {
  return new URLSearchParams(Object.entries(read).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])));
}

/** Decodes a URL segment; an invalid encoding is taken literally. An ID that the database can't store (`%00`) is not found. */
export function recordId(segment: string): string {
  const id = decoded(segment);
  return isStorableText(id) ? id : notFound();
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
