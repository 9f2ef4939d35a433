import type { WorkspaceId } from "#lib/contracts/api/ids";

/** A part of the log by time, ISO 8601; an end left out is open. */
export type Range = { from: string | undefined; to: string | undefined };

const KINDS = /^(document|task|pipeline|automation|run|integration):(.+)$/s;

/** Parameters of a statement over the log, and the conditions that every part of it shares: workspace, period, place. */
export class SqlParams {
  readonly values: unknown[] = [];
  readonly workspace: string;
  private readonly place: ((alias: string) => string)[] = [];

  constructor(workspaceId: WorkspaceId, { from, to }: Range, before: { at: Date; seq: number } | undefined) {
    this.workspace = this.bind(workspaceId);
    const compare = (sign: string, value: string) => this.place.push((alias) => `${alias}.received_at ${sign} ${value}::timestamptz`);
    if (from !== undefined) compare(">=", this.bind(from));
    if (to !== undefined) compare("<", this.bind(to));
    if (!before) return;
    const [at, seq] = [this.bind(before.at.toISOString()), this.bind(before.seq)];
    // The first of the two lets the planner pass over whole months.
    compare("<=", at);
    this.place.push((alias) => `(${alias}.received_at, ${alias}.seq) < (${at}::timestamptz, ${seq}::bigint)`);
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Returns the conditions of the period, and of the place where the previous page ended. */
  placeOf(alias: string): string[] {
    return this.place.map((condition) => condition(alias));
  }

  within(alias: string): string {
    return [`${alias}.workspace_id = ${this.workspace}`, ...this.placeOf(alias)].join(" AND ");
  }

  /** Returns conditions on `event_refs` for `doc_1` or `document:doc_1`. */
  names(resource: string, alias: string): string {
    const [, kind, id] = KINDS.exec(resource) ?? [];
    const ofKind = kind === undefined ? "" : ` AND ${alias}.kind = ${this.bind(kind)}`;
    return `${alias}.ref = ${this.bind(id ?? resource)}${ofKind}`;
  }

  mentions(resource: string, alias: string): string {
    return `EXISTS (SELECT 1 FROM event_refs n WHERE n.received_at = ${alias}.received_at AND n.seq = ${alias}.seq AND ${this.names(resource, "n")})`;
  }
}
