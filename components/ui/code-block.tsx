"use client";

import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useCopy } from "./copy-icon.tsx";
import { Button } from "./primitives/button.tsx";
import { cn } from "./primitives/cn.tsx";
import { IconButton } from "./primitives/icon-button.tsx";

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

type CopyButtonProps = {
  value: string;
  label: string;
  words?: boolean;
  /** With `words`: takes the focus when it appears, because its value has replaced the focused element. */
  autoFocus?: boolean;
  className?: string;
};

export function CopyButton({ value, label, words = false, autoFocus = false, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const icon = copied ? <Check className="text-fine" /> : <Copy />;
  if (words) {
    return (
      <Button size="sm" icon={icon} autoFocus={autoFocus} onClick={() => copy(value)} {...(className === undefined ? {} : { className })}>
        <span aria-live="polite">{copied ? "Copied" : label}</span>
      </Button>
    );
  }
  return (
    <IconButton
      size="sm"
      label={copied ? "Copied" : label}
      labelShown={copied}
      icon={icon}
      onClick={() => copy(value)}
      className={cn("relative z-1", className)}
    />
  );
}
