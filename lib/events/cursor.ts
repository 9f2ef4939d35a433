import { AppError } from "#lib/contracts/app-error";

/**
 * A page's end in a list by time: opaque to callers.
 *
 * @param tie what orders rows of the same millisecond
 */
export function encodeCursor(at: Date, tie: string | number): string {
  return Buffer.from(`${at.toISOString()} ${tie}`).toString("base64url");
}

/** @throws AppError `invalid_request` when it is not one of ours */
export function decodeCursor(cursor: string): { at: Date; tie: string } {
  const [time, tie] = Buffer.from(cursor, "base64url").toString().split(" ");
  const at = new Date(time ?? "");
  if (Number.isNaN(at.getTime()) || !tie) throw new AppError("invalid_request", "cursor: take it from the nextCursor of the page before.");
  return { at, tie };
}

/** The same where the tie is a sequence number. */
export function decodeSequenceCursor(cursor: string): { at: Date; seq: number } {
  const { at, tie } = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(tie)) throw new AppError("invalid_request", "cursor: take it from the nextCursor of the page before.");
  return { at, seq: Number(tie) };
}
