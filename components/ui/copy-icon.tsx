import { Check, Copy } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { visible } from "#lib/contracts/api/plain-text";
import { toast } from "./feedback/toast.tsx";
import { cn } from "./primitives/cn.tsx";

/** Copies a value. Its parent shows it on hover. It is in every row, so it doesn't load the library's tooltip. */
export function CopyIcon({ value, className }: { value: string; className?: string }) {
  const { copied, copy } = useCopy();
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const press = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, width, top } = currentTarget.getBoundingClientRect();
    setPlace({ left: left + width / 2, top: top - 6 });
    copy(value);
  };
  return (
    <>
      <button
        type="button"
        title="Copy"
        aria-label={`${copied ? "Copied" : "Copy"} ${visible(value)}`}
        onClick={press}
        className={cn(
          "inline-flex items-center rounded-sm text-faint opacity-0 hover:text-text focus-visible:opacity-100 pointer-coarse:opacity-100",
          copied && "opacity-100",
          className,
        )}
      >
        {copied ? <Check className="size-3 text-fine" /> : <Copy className="size-3" />}
      </button>
      {copied ? createPortal(<CopiedNote {...place} />, document.body) : null}
    </>
  );
}

const CopiedNote = (place: { left: number; top: number }) => (
  <span
    role="status"
    style={place}
    className="enter-fade pointer-events-none fixed z-50 -translate-x-1/2 -translate-y-full rounded-md border border-line-strong bg-raised px-2 py-1 text-12 text-text shadow-raised"
  >
    Copied
  </span>
);

/** Copies text and resolves to true if that worked, after a toast if not; `copied` is true for a moment afterwards. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast.error("Couldn't copy", { description: "Your browser blocked clipboard access. Select the text and copy it manually." });
      return false;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1500);
    return true;
  }
  return { copied, copy };
}
