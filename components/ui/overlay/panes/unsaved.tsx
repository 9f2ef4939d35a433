import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";

/** Follows whether a form of the window was changed. Escape and a press beside the window then ask first; *Cancel* and *Close* don't. A form with `data-kept` loses nothing. */
export function useUnsaved(open: boolean) {
  const changed = useRef<HTMLFormElement | null>(null);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (open) return;
    changed.current = null;
    setAsking(false);
  }, [open]);
  // A form that was sent may have been replaced by its result, and one that was changed by another of other values.
  const edited = () => changed.current?.isConnected === true;
  useEffect(() => {
    if (asking && !edited()) setAsking(false);
  });
  return {
    edited,
    asking,
    setAsking,
    // A list that a value is chosen from has no input event.
    onChange: ({ target }: FormEvent) => {
      if (target instanceof HTMLElement) changed.current = target.closest("form:not([data-kept])") ?? changed.current;
    },
  };
}

export function UnsavedBar({ onKeep, onDiscard, className }: { onKeep: () => void; onDiscard: () => void; className?: string }) {
  const before = useRef<Element | null>(null);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    before.current = document.activeElement;
    keep.current?.focus();
    return () => {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, []);
  return (
    <div
      role="alertdialog"
      aria-label="Discard your changes?"
      className={cn(
        "mx-5 mb-4 flex flex-wrap items-center justify-end gap-2 rounded-md border border-attention-line bg-attention-surface px-3 py-2",
        className,
      )}
    >
      <p className="mr-auto text-13 font-medium">Discard your changes?</p>
      <Button ref={keep} size="sm" onClick={onKeep}>
        Keep editing
      </Button>
      <Button size="sm" variant="danger" onClick={onDiscard}>
        Discard changes
      </Button>
    </div>
  );
}
