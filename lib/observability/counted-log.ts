const GATHERED_MS = 60_000;

type Fields = Readonly<Record<string, string>>;
type Line = Fields | { count: number };

/** Logs events that may happen thousands of times a second: the first one at once, then a count for each cause every minute. */
export class CountedLog {
  private readonly write: (line: Line) => void;
  private readonly gathering = new Map<string, { fields: Fields; count: number }>();

  constructor(write: (line: Line) => void) {
    this.write = write;
  }

  /** Counts one. `fields` tell causes apart and must have few different values. */
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
