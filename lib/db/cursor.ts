import { createHash } from "node:crypto";
import { AppError } from "#lib/contracts/api/app-error";
import { isStorableText, LAST_MS } from "#lib/contracts/api/bounds";

/** The lists of the API that are read page by page. A cursor works in the list that gave it, and in no other. */
export type ListName =
  | "alerts"
  | "audit"
  | "audit_export"
  | "connections"
  | "deliveries"
  | "events"
  | "missing_events"
  | "operations"
  | "issues"
  | "outages"
  | "quarantine"
  | "quarantine_releases"
  | "redeliveries"
  | "redelivery_events"
  | "views";

/** Kind of a value that a list is ordered by. `time`: a moment, to the millisecond. `integer`: a number of ours. `id`: text. */
type PartKind = "time" | "integer" | "id";
type PartValue = { time: Date; integer: number; id: string };
type Parts = Record<string, PartKind>;
/** End of a page: the values of its last row by which the list is ordered. */
type Place<P extends Parts> = { [Name in keyof P]: PartValue[P[Name]] };

/** Cursors are read by whoever wrote them or after an upgrade: a change of the form gets another number. */
const VERSION = 1;
const MAX_ID = 1000;

/**
 * The one form of cursors: base64url of `[version, list, hash of the filter, ...place]` as JSON.
 * Opaque to callers, and checked like any other input: a cursor that was changed, of another list or of
 * another filter is rejected instead of reading some other page.
 */
export class Cursor<const P extends Parts> {
  private readonly list: ListName;
  private readonly parts: P;

  /** @param parts what the list is ordered by, in this order: names of columns or fields of a row */
  constructor(list: ListName, parts: P) {
    this.list = list;
    this.parts = parts;
  }

  /**
   * The cursor after the first `limit` rows; null when there are no more.
   *
   * @param rows as they were read: one more than `limit` when another page follows
   * @param filter what the list was narrowed by, as for `decode`
   */
  next(rows: Place<P>[], limit: number, filter: object = {}): string | null {
    const last = rows[limit - 1];
    return rows.length > limit && last ? this.encode(last, filter) : null;
  }

  /** The cursor of the page after this place. */
  encode(place: Place<P>, filter: object = {}): string {
    const values = Object.keys(this.parts).map((name) => {
      const value = place[name as keyof P];
      return value instanceof Date ? value.getTime() : value;
    });
    return Buffer.from(JSON.stringify([VERSION, this.list, hashOf(filter), ...values])).toString("base64url");
  }

  /**
   * Returns where the page before ended; null without a cursor.
   *
   * @param filter what this request is narrowed by: it must be what the page before was
   * @throws AppError `invalid_request` for any cursor that this list did not give for this filter
   */
  decode(cursor: string | undefined, filter: object = {}): Place<P> | null {
    if (cursor === undefined || cursor === "") return null;
    const [version, list, hash, ...values] = parse(cursor);
    const kinds = Object.entries(this.parts);
    if (version !== VERSION || typeof list !== "string") throw rejected("not a valid cursor. Use nextCursor from the previous page.");
    if (list !== this.list) throw rejected("it belongs to another list. Use nextCursor from the previous page.");
    if (values.length !== kinds.length) throw rejected("it was modified. Use nextCursor from the previous page.");
    if (hash !== hashOf(filter))
      throw rejected("it belongs to another filter. Send the previous page's filter, or start without a cursor.");
    return Object.fromEntries(kinds.map(([name, kind], index) => [name, read(kind, values[index])])) as Place<P>;
  }
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(value)) return value;
  } catch {
    // falls through to the one answer for every cursor that is not ours
  }
  throw rejected("not a valid cursor. Use nextCursor from the previous page.");
}

function read(kind: PartKind, value: unknown): Date | number | string {
  if (kind === "id" && typeof value === "string" && value !== "" && value.length <= MAX_ID && isStorableText(value)) return value;
  if (kind === "integer" && Number.isSafeInteger(value)) return value as number;
  if (kind === "time" && Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_MS)
    return new Date(value as number);
  throw rejected("it was modified. Use nextCursor from the previous page.");
}

/** Short: it distinguishes filters and protects nothing. The order of names and empty parts make no difference. */
function hashOf(filter: object): string {
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

function rejected(why: string): AppError {
  const message = `cursor: ${why}`;
  return new AppError("invalid_request", message, { errors: [{ path: "cursor", message }] });
}
