"use client";

import { Check, Copy } from "lucide-react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { IconButton } from "#components/ui/primitives/icon-button";
import { useCopy } from "./use-copy.tsx";

type CopyButtonProps = {
  value: string;
  /** Name of the action: "Copy URL". */
  label: string;
  /** Shows the label beside the icon. */
  words?: boolean;
  /** With `words`: takes the focus when it appears, because what it copies has replaced what had it. */
  autoFocus?: boolean;
  className?: string;
};

/** Copies a full value and confirms it. */
export function CopyButton({ value, label, words = false, autoFocus = false, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const icon = copied ? <Check aria-hidden className="text-fine" /> : <Copy aria-hidden />;
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
