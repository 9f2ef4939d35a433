"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "#components/ui/cn";
import { Input } from "#components/ui/input";

const PAUSE_MS = 300;

type SlowInputProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  icon?: ReactNode;
  className?: string;
};

/** A text filter: it takes effect after a pause in typing, at once on Enter. */
export function SlowInput({ label, placeholder, value, onChange, icon, className }: SlowInputProps) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address changed by another way (Back, "Clear filters"): show that.
  if (value !== known) {
    setKnown(value);
    if (value !== draft.trim()) setDraft(value);
  }
  const settle = (text: string, pause: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(text.trim()), pause);
  };
  return (
    <div className={cn("min-w-0", className)}>
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={draft}
        icon={icon}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setDraft(target.value);
          settle(target.value, PAUSE_MS);
        }}
        onKeyDown={({ key }) => {
          if (key === "Enter") settle(draft, 0);
        }}
      />
    </div>
  );
}
