import { createHash } from "node:crypto";
import { AppError } from "#lib/contracts/api/app-error";
import { isStorableText, LAST_MS } from "#lib/contracts/api/bounds";

/** A cursor works only in the list that gave it. */
export type ListName =
  | "alerts"
  | "audit"
  | "audit_export"
  | "connections"
  | "deliveries"
  | "event_schema_changes"
  | "events"
  | "events_by_occurred"
  | "missing_events"
  | "operations"
  | "issues"
  | "outages"
  | "quarantine"
  | "quarantine_releases"
  | "redeliveries"
  | "redelivery_events"
  | "views"
  | "whole";

type PartKind = "time" | "integer" | "id";
type PartValue = { time: Date; integer: number; id: string };
type Parts = Record<string, PartKind>;
/** The last row's values by which the list is ordered. */
type Place<P extends Parts> = { [Name in keyof P]: PartValue[P[Name]] };

/** Cursors outlive upgrades: another form needs another number. */
const VERSION = 1;
const MAX_ID = 1000;

/** base64url of the JSON `[version, list, hash of the filter, ...place]`. One that was changed or belongs elsewhere is rejected. */
export class Cursor<const P extends Parts> {
  private readonly list: ListName;
  private readonly parts: P;

  /** @param parts columns or fields that the list is ordered by, in this order */
  constructor(list: ListName, parts: P) {
    this.list = list;
    this.parts = parts;
  }

  /** Returns the cursor after the first `limit` rows; `rows` has one more if another page follows. */
  next(rows: Place<P>[], limit: number, filter: object = {}): string | null {
    const last = rows[limit - 1];
    return rows.length > limit && last ? this.encode(last, filter) : null;
  }

  encode(place: Place<P>, filter: object = {}): string {
    const values = Object.keys(this.parts).map((name) => {
      const value = place[name as keyof P];
      return value instanceof Date ? value.getTime() : value;
    });
    return Buffer.from(JSON.stringify([VERSION, this.list, hashOf(filter), ...values])).toString("base64url");
  }

  /** Returns where the page before ended. @throws AppError `invalid_request` for a cursor of another list or filter */
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
    // one answer for every cursor that isn't ours
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

/** Distinguishes filters and protects nothing, so it is short. Order of names and empty parts don't matter. */
function hashOf(filter: object): string {
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

function rejected(why: string): AppError {
  const message = `cursor: ${why}`;
  return new AppError("invalid_request", message, { errors: [{ path: "cursor", message }] });
}
