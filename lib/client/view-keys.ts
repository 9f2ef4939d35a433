import type { ViewKind } from "#lib/contracts/views";

/** What a list of views is narrowed to; an absent part narrows nothing. */
export type ViewFilter = {
  state?: string;
  q?: string;
  parent?: string;
  stage?: string;
  assignee?: string;
  /** `true` or `false`. */
  inWork?: string;
  failed?: string;
};

/** The query keys of views: pages fill them on the server, hooks read them, `applied` hints refresh all that begin with "views". */
export const viewKeys = {
  list: (kind: ViewKind, filter: ViewFilter) => ["views", kind, "list", filter] as const,
  one: (kind: ViewKind, id: string, asOf: string | null) => ["views", kind, "one", id, asOf] as const,
  moments: (kind: ViewKind, id: string) => ["views", kind, "moments", id] as const,
  board: (id: string, asOf: string | null) => ["views", "pipeline", "board", id, asOf] as const,
  throughput: (id: string) => ["throughput", id] as const,
};

/** A filter from a page's address; empty and repeated parameters narrow nothing. */
export function filterFrom(read: (name: string) => unknown): ViewFilter {
  const part = (name: keyof ViewFilter, max: number) => {
    const value = read(name);
    return typeof value === "string" && value.trim() !== "" ? { [name]: value.trim().slice(0, max) } : {};
  };
  const flag = (name: "inWork" | "failed") => (read(name) === "true" || read(name) === "false" ? { [name]: String(read(name)) } : {});
  return {
    ...part("state", 100),
    ...part("q", 200),
    ...part("parent", 600),
    ...part("stage", 200),
    ...part("assignee", 400),
    ...flag("inWork"),
    ...flag("failed"),
  };
}
