import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { cn } from "#components/ui/primitives/cn";
import { Input } from "#components/ui/primitives/input";
import { useLatest } from "#components/ui/primitives/use-latest";

const PAUSE_MS = 300;

type DebouncedInputProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onDraft?: (text: string) => void;
  icon?: ReactNode;
  className?: string;
};

/** Filters by text after a pause in typing, on Enter, and when the field is left. */
export function DebouncedInput({ label, placeholder, value, onChange, onDraft, icon, className }: DebouncedInputProps) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  /** Text that this field requested and the URL does not show yet. */
  const [sent, setSent] = useState<string | null>(null);
  // Other filters may change during the pause: the latest `onChange` keeps them.
  const change = useLatest(onChange);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== known) {
    setKnown(value);
    setSent(null);
    // The URL changed in another way (Back, "Clear filters"): show that. Text typed meanwhile stays.
    if (value !== sent && value !== draft.trim()) setDraft(value);
  }
  const stop = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const send = (text: string) => {
    stop();
    setSent(text.trim());
    change.current(text.trim());
  };
  const write = (text: string) => {
    setDraft(text);
    onDraft?.(text);
    stop();
    timer.current = setTimeout(() => send(text), PAUSE_MS);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before hydration: the next render would erase it.
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) write(input.current.value);
  }, []);
  return (
    <div className={cn("min-w-0", className)}>
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={draft}
        icon={icon}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => write(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") send(draft);
        }}
        onBlur={() => {
          if (timer.current !== undefined) send(draft);
        }}
      />
    </div>
  );
}
