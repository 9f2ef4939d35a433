/**
 * A record's id from a page's address. Next hands a page its segment as it
 * stands there, percent-encoded; one that is not rightly encoded is taken as it is.
 */
export function recordId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
