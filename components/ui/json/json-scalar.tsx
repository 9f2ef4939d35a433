"use client";

import { PageLink } from "#components/ui/primitives/page-link";
import { isNumber } from "#lib/contracts/json/exact-json";
import { type JsonPath, Marked, useJsonTools } from "./json-tools.tsx";

function look(value: unknown): string {
  if (typeof value === "string") return "whitespace-pre-wrap break-all text-fine";
  return isNumber(value) ? "text-working" : "text-attention";
}

export function JsonScalar({ path, value }: { path: JsonPath; value: unknown }) {
  const { hrefOf } = useJsonTools();
  const href = hrefOf?.(path, value) ?? null;
  const text = <Marked text={typeof value === "string" ? JSON.stringify(value) : String(value)} />;
  if (href === null) return <span className={look(value)}>{text}</span>;
  return (
    <PageLink
      href={href}
      title="Find events with this value"
      className={`${look(value)} rounded-sm decoration-dotted underline-offset-2 hover:underline`}
    >
      {text}
    </PageLink>
  );
}

export function JsonName({ path, name, pressable = true }: { path: JsonPath; name: string | undefined; pressable?: boolean }) {
  const { onName } = useJsonTools();
  if (name === undefined) return null;
  const text = <Marked text={JSON.stringify(name)} />;
  return (
    <>
      {onName && pressable ? (
        <button
          type="button"
          title="Copy path"
          aria-label={`Copy path of ${name}`}
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
