import { Check } from "lucide-react";
import { Menu as Radix } from "radix-ui/internal";
import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import type { OverlayPane } from "../overlay.tsx";
import { type PaneOptions, usePaneContent } from "./use-pane-content.tsx";

// Radix DropdownMenu needs its own trigger; our trigger renders before this code has loaded.

export type MenuContent = PaneOptions & { entries: (MenuEntry | false)[] };

export function MenuPane({ entries, label, align = "end", className, ...pane }: OverlayPane & MenuContent) {
  const content = usePaneContent(pane, { label, align, className: cn("min-w-48 p-1", className) });
  return (
    <Radix.Root modal={false} open={pane.open} onOpenChange={pane.onOpenChange}>
      <Radix.Anchor virtualRef={pane.anchor} />
      <Radix.Portal>
        <Radix.Content {...content}>
          {entries.map(
            (entry, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: a menu's entries never change order.
              entry && <Entry key={index} entry={entry} />,
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemLook =
  "flex h-8 w-full select-none items-center gap-2 rounded-sm px-2 text-13 text-text outline-none data-[highlighted]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint";

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === "choice") return <Choice choice={entry} />;
  if (entry.kind === "label") return <Radix.Label className="px-2 py-1 text-12 text-faint">{entry.label}</Radix.Label>;
  if (entry.kind === "line") return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
  return entry.kind === "content" ? entry.content : <Item item={entry} />;
}

function Item({ item: { label, icon, hint, onSelect, href } }: { item: ItemEntry }) {
  const inside = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate text-left">{label}</span>
      {hint === undefined ? null : <span className="text-12 text-faint">{hint}</span>}
    </>
  );
  return (
    <Radix.Item asChild={href !== undefined} className={itemLook} {...(onSelect ? { onSelect } : {})}>
      {href === undefined ? inside : <PageLink href={href}>{inside}</PageLink>}
    </Radix.Item>
  );
}

function Choice({ choice: { value, onChange, options } }: { choice: ChoiceEntry }) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={itemLook}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Radix.ItemIndicator>
            <Check className="size-4 text-accent-text" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

type ItemEntry = { kind?: "item"; label: string; icon?: ReactNode; hint?: ReactNode; onSelect?: () => void; href?: string };

type ChoiceEntry = {
  kind: "choice";
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string; icon?: ReactNode }[];
};

export type MenuEntry =
  | ItemEntry
  | ChoiceEntry
  | { kind: "label"; label: string }
  | { kind: "line" }
  | { kind: "content"; content: ReactNode };
