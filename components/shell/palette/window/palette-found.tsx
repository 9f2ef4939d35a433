"use client";

import { ArrowRight, CircleDot, FileText, History, Kanban, Plug, Workflow } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { recentPages } from "#components/shell/palette/recent";
import { resourceHref } from "#lib/client/format/resource-links";
import { jumpTarget } from "#lib/client/jump";
import type { ViewKind, ViewSearchResult } from "#lib/contracts/views";
import { Group, Item } from "./palette-items.tsx";

const ICONS: Record<ViewKind, typeof FileText> = {
  document: FileText,
  task: CircleDot,
  pipeline: Kanban,
  automation: Workflow,
  run: Workflow,
  integration: Plug,
};

/** What tells a record's item from every other. */
export const recordValue = ({ kind, id }: ViewSearchResult): string => `record ${kind}:${id}`;

type FoundGroupsProps = { text: string; records: ViewSearchResult[]; approximate: boolean; scope: string; close: () => void };

/** What was open last, the page of a pasted id, and the records that the text finds. */
export function FoundGroups({ text, records, approximate, scope, close }: FoundGroupsProps) {
  const router = useRouter();
  const [recent] = useState(() => recentPages(scope));
  const found = records.flatMap((record) => ({ record, href: resourceHref(record) ?? "/" }));
  const hrefs = new Set(found.map(({ href }) => href));
  const target = jumpTarget(text);
  const go = (href: string) => {
    close();
    router.push(href);
  };
  return (
    <>
      {recent.length === 0 ? null : (
        <Group heading="Recent">
          {recent
            .filter(({ href }) => !hrefs.has(href))
            .map(({ href, label }) => (
              <Item key={href} value={`${label} ${href}`} icon={<History aria-hidden />} onSelect={() => go(href)}>
                {label}
              </Item>
            ))}
        </Group>
      )}
      {target && !hrefs.has(target.href) ? (
        <Group heading="Jump to">
          <Item value={text} icon={<ArrowRight aria-hidden />} onSelect={() => go(target.href)}>
            Open {target.word} <span className="font-mono text-12">{text.trim()}</span>
          </Item>
        </Group>
      ) : null}
      {found.length === 0 ? null : (
        <Group heading={approximate ? "Records with a similar name" : "Records"}>
          {found.map(({ record, href }) => {
            const Icon = ICONS[record.kind];
            return (
              <Item
                key={href}
                value={recordValue(record)}
                icon={<Icon aria-hidden />}
                beside={`${record.kind === "run" ? "automation run" : record.kind}, ${record.state.replaceAll("_", " ")}`}
                onSelect={() => go(href)}
              >
                <span title={record.id}>{record.label}</span>
              </Item>
            );
          })}
        </Group>
      )}
    </>
  );
}
