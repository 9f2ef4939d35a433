"use client";

import { Check, Copy } from "lucide-react";
import { cn } from "#components/ui/cn";
import { PatientLink } from "#components/ui/patient-link";
import { useCopy } from "#components/ui/use-copy";

/** Shortened in the middle, prefix and end kept: `evt_4kq2…9xz1`. */
export function shortId(id: string, length = 16): string {
  if (id.length <= length) return id;
  const prefix = /^[a-z]{2,5}_/.exec(id)?.[0].length ?? 0;
  const head = Math.max(prefix + 4, Math.ceil((length - 1) / 2));
  return `${id.slice(0, head)}…${id.slice(-4)}`;
}

type ResourceIdProps = {
  id: string;
  /** Where it leads; without it the id itself copies. */
  href?: string;
  /** Shows it whole. */
  whole?: boolean;
  /** Text alone, inside another link. */
  inert?: boolean;
  className?: string;
};

/** An id: mono, shortened in the middle, copied whole. */
export function ResourceId({ id, href, whole = false, inert = false, className }: ResourceIdProps) {
  const { copied, copy } = useCopy();
  const shown = whole ? id : shortId(id);
  const look = cn("font-mono text-12", whole && "break-all", className);
  if (inert) {
    return (
      <span title={id} className={look}>
        {shown}
      </span>
    );
  }
  const mark = copied ? <Check aria-hidden className="size-3 text-fine" /> : <Copy aria-hidden className="size-3" />;
  const copyLook = "inline-flex items-center rounded-sm text-faint hover:text-text";
  return (
    <span className="group/id relative z-1 inline-flex max-w-full items-center gap-1.5">
      {href === undefined ? (
        <span title={id} className={look}>
          {shown}
        </span>
      ) : (
        <PatientLink href={href} title={id} className={cn(look, "rounded-sm text-accent-text hover:underline")}>
          {shown}
        </PatientLink>
      )}
      <button
        type="button"
        aria-label={copied ? `Copied ${id}` : `Copy ${id}`}
        onClick={() => copy(id)}
        className={cn(copyLook, "opacity-0 focus-visible:opacity-100 group-hover/id:opacity-100 pointer-coarse:opacity-100")}
      >
        {mark}
      </button>
    </span>
  );
}
