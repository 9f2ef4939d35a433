"use client";

import { type JsonPath, Marked, useJsonTools } from "#components/ui/json-tools";
import { PatientLink } from "#components/ui/patient-link";

function look(value: unknown): string {
  if (typeof value === "string") return "whitespace-pre-wrap break-all text-fine";
  return typeof value === "number" ? "text-working" : "text-attention";
}

/** A plain value; a link where it leads somewhere. */
export function JsonScalar({ path, value }: { path: JsonPath; value: unknown }) {
  const { hrefOf } = useJsonTools();
  const href = hrefOf?.(path, value) ?? null;
  const text = <Marked text={typeof value === "string" ? JSON.stringify(value) : String(value)} />;
  if (href === null) return <span className={look(value)}>{text}</span>;
  return (
    <PatientLink
      href={href}
      title="Events with the same value here"
      className={`${look(value)} rounded-sm decoration-dotted underline-offset-2 hover:underline`}
    >
      {text}
    </PatientLink>
  );
}

/** The name of a field; a button where a press on it does something. */
export function JsonName({ path, name, pressable = true }: { path: JsonPath; name: string | undefined; pressable?: boolean }) {
  const { onName } = useJsonTools();
  if (name === undefined) return null;
  const text = <Marked text={JSON.stringify(name)} />;
  return (
    <>
      {onName && pressable ? (
        <button
          type="button"
          title="Copy the path"
          aria-label={`Copy the path of ${name}`}
          onClick={() => onName(path)}
          className="break-all rounded-sm text-left text-accent-text hover:underline"
        >
          {text}
        </button>
      ) : (
        <span className="break-all text-accent-text">{text}</span>
      )}
      <span className="text-faint">: </span>
    </>
  );
}
