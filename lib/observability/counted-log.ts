/** Time for which entries with one cause are gathered. Milliseconds. */
const GATHERED_MS = 60_000;

type Fields = Readonly<Record<string, string>>;
type Line = Fields | { count: number };

/** Says what may happen thousands of times a second: a line at the first time, then a line a minute and cause with the count. */
export class CountedLog {
  private readonly write: (line: Line) => void;
  private readonly gathering = new Map<string, { fields: Fields; count: number }>();

  /** @param write prints one line */
  constructor(write: (line: Line) => void) {
    this.write = write;
  }

  /** Counts one. @param fields what makes it a cause of its own: few different values */
  note(fields: Fields): void {
    const cause = JSON.stringify(fields);
    const before = this.gathering.get(cause);
    if (before) {
      before.count += 1;
      return;
    }
    this.write({ ...fields, count: 1 });
    this.gather(cause, fields);
  }

  private gather(cause: string, fields: Fields): void {
    const gathered = { fields, count: 0 };
    this.gathering.set(cause, gathered);
    setTimeout(() => {
      this.gathering.delete(cause);
      if (gathered.count === 0) return;
      this.write({ ...fields, count: gathered.count });
      this.gather(cause, fields);
    }, GATHERED_MS).unref();
  }
}
