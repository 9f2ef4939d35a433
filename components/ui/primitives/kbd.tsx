import type { ReactNode } from "react";
import { useHydrated } from "./use-hydrated.tsx";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-12 text-faint">
      {children}
    </kbd>
  );
}

/** The key held down for shortcuts: the server doesn't know whose keyboard it is. */
export const CommandKey = () => <Kbd>{useHydrated() && /^(Mac|iP)/.test(navigator.platform) ? "⌘" : "Ctrl"}</Kbd>;
