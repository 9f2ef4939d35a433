"use client";

import { Check, Copy } from "lucide-react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { IconButton } from "#components/ui/primitives/icon-button";
import { useCopy } from "./copy-icon.tsx";

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
