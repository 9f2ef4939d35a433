"use client";

import { Check, Copy } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { visibleParts } from "#lib/contracts/api/plain-text";
import { useCopy } from "./copy-icon.tsx";
import { Button } from "./primitives/button.tsx";
import { cn } from "./primitives/cn.tsx";
import { IconButton } from "./primitives/icon-button.tsx";

type CodeBlockProps = { code: string; label: string; title?: ReactNode; wrap?: boolean; className?: string };

/** Shows text as received, never interpreted, with what has no width or turns the direction as an escape. */
export function CodeBlock({ code, label, title, wrap = true, className }: CodeBlockProps) {
  return (
    <figure className={cn("relative rounded-md border border-line bg-sunken", className)}>
      {title === undefined ? null : (
        <figcaption className="flex h-9 items-center border-b border-line pr-10 pl-3 text-12 text-muted">{title}</figcaption>
      )}
      <CopyButton value={code} label={`Copy ${label}`} className="absolute top-1 right-1" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <pre tabIndex={0} className={cn("max-h-[480px] overflow-auto p-3 pr-10 text-12", wrap && "whitespace-pre-wrap break-all")}>
        <code>{partsOf(code)}</code>
      </pre>
    </figure>
  );
}

/** More escapes than these, as in a body that is no text, stand unmarked. */
const MAX_MARKED = 2000;

/** Marks the escapes: the text itself may have such a one, letter by letter. */
function partsOf(code: string): ReactNode {
  const parts = visibleParts(code);
  if (parts.length > MAX_MARKED) return parts.join("");
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
      <Fragment key={at}>{apart(part)}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
      <mark key={at} title="Invisible character" className="rounded-sm bg-attention-surface text-text outline-1 outline-attention-line">
        {part}
      </mark>
    ),
  );
}

const RTL = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
/** From the first to the last letter that is written from right to left within one value. */
const RUNS = new RegExp(`(${RTL}(?:[^"'<>{}[\\]=&\\n]*${RTL})?)`, "u");

/** Two values written from right to left would swap their places, with what is between them. */
function apart(text: string): ReactNode {
  const parts = text.split(RUNS);
  if (parts.length === 1 || parts.length > MAX_MARKED) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
  return parts.map((part, at) => (at % 2 === 0 ? part : <bdi key={at}>{part}</bdi>));
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
