import type { AuditEntry } from "#lib/contracts/audit";

/** What was before and what is after, field by field: `role: developer → viewer`. */
export function AuditChange({ before, after }: Pick<AuditEntry, "before" | "after">) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => name !== "summary");
  if (names.length === 0) return null;
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-12">
      {names.map((name) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="text-faint">{name}</dt>
          <dd className="min-w-0 break-all font-mono">
            {before?.[name] === undefined ? null : (
              <>
                <del className="text-muted">
                  <span className="sr-only">before: </span>
                  {text(before[name])}
                </del>{" "}
                →{" "}
              </>
            )}
            {after?.[name] === undefined ? (before?.[name] === undefined ? "" : "nothing") : text(after[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const text = (value: unknown): string => (value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value));
