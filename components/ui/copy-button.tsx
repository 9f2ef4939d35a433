"use client";

import { Check, Copy } from "lucide-react";
import { Button } from "#components/ui/button";
import { cn } from "#components/ui/cn";
import { IconButton } from "#components/ui/icon-button";
import { useCopy } from "#components/ui/use-copy";

type CopyButtonProps = {
  value: string;
  /** What is copied: "Copy the address". */
  label: string;
  /** Shows the label beside the icon. */
  words?: boolean;
  className?: string;
};

/** Copies a value whole and says so. */
export function CopyButton({ value, label, words = false, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const icon = copied ? <Check aria-hidden className="text-fine" /> : <Copy aria-hidden />;
  if (words) {
    return (
      <Button size="sm" icon={icon} onClick={() => copy(value)} {...(className === undefined ? {} : { className })}>
        <span aria-live="polite">{copied ? "Copied" : label}</span>
      </Button>
    );
  }
  return (
    <IconButton
      size="sm"
      label={copied ? "Copied" : label}
      icon={icon}
      onClick={() => copy(value)}
      className={cn("relative z-1", className)}
    />
  );
}
