/** A place in the feed: `<position>-<sequence>`. */
export type FeedCursor = string;

const CURSOR = /^(\d{1,19})-(\d{1,18})$/;

export const isFeedCursor = (text: string): boolean => CURSOR.test(text);

/** Returns the parts as decimal numbers; "0" for each of what is no cursor. */
export function partsOf(cursor: FeedCursor): [position: string, sequence: string] {
  const [, position = "0", sequence = "0"] = CURSOR.exec(cursor) ?? [];
  return [position, sequence];
}

export function isBefore(one: FeedCursor, other: FeedCursor): boolean {
  const [[position, sequence], [otherPosition, otherSequence]] = [partsOf(one), partsOf(other)];
  return position === otherPosition ? BigInt(sequence) < BigInt(otherSequence) : BigInt(position) < BigInt(otherPosition);
}
