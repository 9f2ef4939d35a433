import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { StateIcon } from "#components/ui/primitives/badge";
import { showToasts } from "./toast.tsx";

/** Pixels above a phone's bottom bar. */
const BOTTOM_BAR = 72;

/** Milliseconds: enough to read two lines. */
const SHOWN_MS = 8000;

const UNDO_MS = 10_000;

export function Toasts() {
  const { resolvedTheme } = useTheme();
  // Sonner's own effect, which subscribes, has run before this one.
  useEffect(() => showToasts(({ kind, what, more }) => void toast[kind](what, more?.action ? { duration: UNDO_MS, ...more } : more)), []);
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      duration={SHOWN_MS}
      mobileOffset={{ bottom: BOTTOM_BAR }}
      gap={8}
      icons={{
        success: <StateIcon state="fine" />,
        error: <StateIcon state="failed" />,
        warning: <StateIcon state="attention" />,
        info: <StateIcon state="working" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-[min(356px,calc(100vw-32px))] items-start gap-2.5 rounded-md border border-line-strong bg-raised px-3 py-2.5 font-sans text-13 text-text shadow-raised",
          icon: "mt-0.5 shrink-0",
          content: "min-w-0 flex-1",
          title: "font-medium",
          description: "text-muted",
          actionButton: "rounded-sm px-1 font-medium text-accent-text",
        },
      }}
    />
  );
}
