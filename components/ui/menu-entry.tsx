import type { ReactNode } from "react";

type Item = { kind: "item"; label: string; icon?: ReactNode; hint?: ReactNode; onSelect?: () => void; href?: string };

/** One of several. */
type Choice = {
  kind: "choice";
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string; icon?: ReactNode }[];
};

/** A line of a menu, or several that belong together. */
export type MenuEntry = Item | Choice | { kind: "label"; label: string } | { kind: "line" } | { kind: "words"; words: ReactNode };
