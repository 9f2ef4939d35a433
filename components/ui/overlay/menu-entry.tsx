import type { ReactNode } from "react";

type Item = { kind: "item"; label: string; icon?: ReactNode; hint?: ReactNode; onSelect?: () => void; href?: string };

type Choice = {
  kind: "choice";
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string; icon?: ReactNode }[];
};

export type MenuEntry = Item | Choice | { kind: "label"; label: string } | { kind: "line" } | { kind: "content"; content: ReactNode };
