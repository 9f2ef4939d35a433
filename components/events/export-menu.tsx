"use client";

import { Download } from "lucide-react";
import { Button } from "#components/ui/button";
import { DropdownMenu } from "#components/ui/dropdown-menu";
import { writeFilter } from "#lib/client/event-filter";
import type { EventFilter } from "#lib/contracts/events";

/** Saves what the list shows, streamed by the server: the browser's own download shows how far it is, and stops it. */
export function ExportMenu({ filter }: { filter: EventFilter }) {
  const save = (format: "ndjson" | "csv") => {
    const link = document.createElement("a");
    link.href = `/api/v1/events/export?${writeFilter(filter, { format })}`;
    link.download = "";
    link.click();
  };
  return (
    <DropdownMenu
      label="Export"
      trigger={<Button icon={<Download aria-hidden />}>Export</Button>}
      entries={[
        { kind: "label", label: "What the filter matches" },
        { kind: "item", label: "NDJSON", hint: "raw bodies, headers", onSelect: () => save("ndjson") },
        { kind: "item", label: "CSV", hint: "for spreadsheets", onSelect: () => save("csv") },
      ]}
    />
  );
}
