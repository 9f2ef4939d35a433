"use client";

import { Download } from "lucide-react";
import { toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Button } from "#components/ui/primitives/button";
import { useExport } from "#lib/client/queries/events/exports";
import type { EventFilter } from "#lib/contracts/events/events";

const ExportDialog = lazyComponent(() => import("./export-dialog.tsx").then((module) => module.ExportDialog));

export function ExportMenu({ filter }: { filter: EventFilter }) {
  const save = useExport();
  const start = (format: "ndjson" | "csv") =>
    save.mutate({ filter, format }, { onError: (error) => toast.error("Couldn't start the export", { description: error.message }) });
  return (
    <>
      <DropdownMenu
        label="Export"
        trigger={<Button icon={<Download aria-hidden />}>Export</Button>}
        entries={[
          { kind: "label", label: "Filtered events" },
          { kind: "item", label: "NDJSON", hint: "raw bodies, headers", onSelect: () => start("ndjson") },
          { kind: "item", label: "CSV", hint: "for spreadsheets", onSelect: () => start("csv") },
        ]}
      />
      {save.data ? <ExportDialog id={save.data.id} onClose={save.reset} /> : null}
    </>
  );
}
