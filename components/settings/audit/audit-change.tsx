import type { AuditEntry } from "#lib/contracts/auth/audit";
import { isExactNumber, writeJson } from "#lib/contracts/json/exact-json";

/** Shows both values of each field. For a thing that was created or removed, one side is empty. */
export function AuditChange({ before, after }: Pick<AuditEntry, "before" | "after">) {
  const named = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => field !== "summary");
  // Empty values of a new thing are left out.
  const fields = named.filter((field) => before !== null || !isEmpty(after?.[field]));
  if (fields.length === 0) return null;
  return (
    <table className="mt-1.5 text-left text-12">
      <thead className={before === null ? "sr-only" : undefined}>
        <tr className="text-faint">
          <th scope="col" className="pr-4 font-normal">
            Field
          </th>
          <th scope="col" className={before === null ? "sr-only" : "pr-4 font-normal"}>
            Before
          </th>
          <th scope="col" className="font-normal">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field} className="align-top">
            <th scope="row" className="whitespace-nowrap pr-4 font-normal text-muted">
              {fieldLabel(field)}
            </th>
            {before === null ? null : <Value value={before[field]} className="pr-4 text-muted" />}
            <Value value={after?.[field]} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value, className = "" }: { value: unknown; className?: string }) {
  return (
    <td className={`wrap-anywhere font-mono ${className}`}>
      {isEmpty(value) ? <span className="font-sans text-faint">none</span> : text(value)}
    </td>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && !isExactNumber(value) && Object.keys(value).length === 0);

/** `accessExpiresAt` as `Access expires at`, `sourceIds` as `Source IDs`. */
function fieldLabel(field: string): string {
  const words = field
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(id|url|ip)(s?)\b/g, (_, short: string, many: string) => short.toUpperCase() + many);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "boolean" ? (value ? "yes" : "no") : writeJson(value);
