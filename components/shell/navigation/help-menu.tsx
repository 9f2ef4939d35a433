"use client";

import { CircleHelp } from "lucide-react";
import { useCommandList } from "#components/shell/palette/commands";
import { useProductVersion } from "#components/shell/product-version";
import { MenuIcon } from "#components/shell/themes";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Kbd } from "#components/ui/primitives/kbd";

export function HelpMenu() {
  const version = useProductVersion();
  const showKeys = useCommandList().find(({ keys }) => keys === "?")?.run;
  return (
    <DropdownMenu
      label="Help"
      className="min-w-56"
      entries={[
        { kind: "item", label: "Documentation", icon: <MenuIcon name="documentation" />, href: "/docs/configuration" },
        { kind: "item", label: "API reference", icon: <MenuIcon name="api" />, href: "/api-reference" },
        {
          kind: "item",
          label: "Keyboard shortcuts",
          icon: <MenuIcon name="keys" />,
          hint: <Kbd>?</Kbd>,
          // The menu restores the focus first; then the sheet takes it.
          onSelect: () => setTimeout(() => showKeys?.()),
        },
        { kind: "line" },
        { kind: "content", content: <p className="px-2 py-1.5 text-12 text-muted">Signalbox {version}</p> },
      ]}
      trigger={
        <button
          type="button"
          aria-label="Help"
          className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <CircleHelp aria-hidden className="size-4" />
        </button>
      }
    />
  );
}
