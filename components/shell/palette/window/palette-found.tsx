"use client";

import { ArrowRight, CircleDot, FileText, History, Kanban, Plug, Shapes, Webhook, Workflow } from "lucide-react";
import { useState } from "react";
import { recentPages } from "#components/shell/palette/recent";
import { resourceHref } from "#lib/client/format/resource-links";
import { jumpTarget } from "#lib/client/jump";
import { useSources } from "#lib/client/queries/auth/settings";
import type { Source } from "#lib/contracts/sources/sources";
import type { ViewKind, ViewSearchResult } from "#lib/contracts/views";
import type { PaletteGroup, PaletteItem } from "./palette-items.tsx";
import { recordValue } from "./palette-rank.ts";

const ICONS: Record<ViewKind, typeof FileText> = {
  document: FileText,
  task: CircleDot,
  pipeline: Kanban,
  automation: Workflow,
  run: Workflow,
  integration: Plug,
  record: Shapes,
};

type Found = { text: string; records: ViewSearchResult[]; approximate: boolean; scope: string; go: (href: string) => void };

export function useFoundGroups({ text, records, approximate, scope, go }: Found): PaletteGroup[] {
  const [recent] = useState(() => recentPages(scope));
  const found = records.map((record) => ({ record, href: resourceHref(record) ?? "/" }));
  const hrefs = new Set(found.map(({ href }) => href));
  const target = jumpTarget(text);
  const { data: sources = [] } = useSources();
  return [
    {
      heading: "Recent",
      items: recent
        .filter(({ href }) => !hrefs.has(href))
        .map(({ href, label }) => ({ value: `${label} ${href}`, icon: <History aria-hidden />, label, run: () => go(href) })),
    },
    {
      heading: "Jump to",
      items: target && !hrefs.has(target.href) ? [jumpItem(target, text.trim(), go)] : [],
    },
    {
      heading: approximate ? "Records with a similar name" : "Records",
      items: found.map(({ record, href }) => recordItem(record, () => go(href))),
    },
    { heading: "Sources", items: text.trim() === "" ? [] : sources.map((source) => sourceItem(source, go)) },
  ];
}

const jumpItem = ({ href, word }: { href: string; word: string }, id: string, go: (href: string) => void): PaletteItem => ({
  value: id,
  icon: <ArrowRight aria-hidden />,
  label: (
    <>
      Open {word} <span className="font-mono text-12">{id}</span>
    </>
  ),
  run: () => go(href),
});

const sourceItem = ({ name, sender }: Source, go: (href: string) => void): PaletteItem => ({
  value: `Events of ${name}`,
  also: [name, sender],
  icon: <Webhook aria-hidden />,
  label: `Events of ${name}`,
  beside: sender,
  run: () => go(`/events?source=${encodeURIComponent(name)}`),
});

function recordItem(record: ViewSearchResult, run: () => void): PaletteItem {
  const Icon = ICONS[record.kind];
  return {
    value: recordValue(record),
    icon: <Icon aria-hidden />,
    label: <span title={record.id}>{record.label}</span>,
    beside: `${record.kind === "run" ? "automation run" : record.kind}, ${record.state.replaceAll("_", " ")}`,
    run,
  };
}
