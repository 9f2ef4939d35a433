import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = { code: string; label: string; title?: ReactNode; wrap?: boolean; className?: string };

/** Shows text exactly as received, never interpreted. */
export function CodeBlock({ code, label, title, wrap = true, className }: CodeBlockProps) {
  return (
    <figure className={cn("relative rounded-md border border-line bg-sunken", className)}>
      {title === undefined ? null : (
        <figcaption className="flex h-9 items-center border-b border-line pr-10 pl-3 text-12 text-muted">{title}</figcaption>
      )}
      <CopyButton value={code} label={`Copy ${label}`} className="absolute top-1 right-1" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <pre tabIndex={0} className={cn("max-h-[480px] overflow-auto p-3 pr-10 text-12", wrap && "whitespace-pre-wrap break-all")}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
