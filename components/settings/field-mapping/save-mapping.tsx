"use client";

import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { FieldMapping, FieldMappingPreview } from "#lib/contracts/sources/field-mapping";

const RedeliverDialog = lazyComponent(() =>
  import("#components/records/redelivery/redeliver-dialog").then((module) => module.RedeliverDialog),
);

type SaveMappingProps = {
  source: string;
  /** The issues whose failed events the mapping is made for; empty if none. */
  issues: string[];
  failing: FieldMappingPreview["failing"];
  /** True if the mapping is the saved one. */
  same: boolean;
  saving: boolean;
  mapping: FieldMapping;
  canRedeliver: boolean;
  save: (mapping: FieldMapping) => Promise<unknown>;
};

/** Saves the mapping; one for failed events can also re-deliver exactly these, after a dry run. */
export function SaveMapping({ source, issues, failing, same, saving, mapping, canRedeliver, save }: SaveMappingProps) {
  const [redelivering, setRedelivering] = useState(false);
  const queries = useQueryClient();
  const fixes = canRedeliver && failing !== null && failing.fixed > 0;
  // A failure is shown by the page.
  const saveAndRedeliver = async () => {
    if (!same) await save(mapping);
    setRedelivering(true);
  };
  return (
    <>
      {fixes ? (
        <Button
          variant="primary"
          icon={<RotateCw aria-hidden />}
          loading={saving}
          onClick={() => void saveAndRedeliver().catch(() => undefined)}
        >
          {`${same ? "Re-deliver" : "Save and re-deliver"} ${these(failing.tried)}`}
        </Button>
      ) : null}
      <Button
        variant={fixes ? "secondary" : "primary"}
        disabled={same}
        loading={saving && !fixes}
        onClick={() => void save(mapping).catch(() => undefined)}
      >
        {fixes ? "Save only" : "Save mapping"}
      </Button>
      {redelivering ? (
        <RedeliverDialog
          dryRunFirst
          name="After a change of the field mapping"
          set={{ filter: { issue: issues, source, state: ["failed"] } }}
          onClose={() => {
            setRedelivering(false);
            void invalidate(queries, KEYS.settings, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview);
          }}
        />
      ) : null}
    </>
  );
}

/** At most 500 failed events are tried. */
const MAX_TRIED = 500;
const these = (tried: number) => (tried >= MAX_TRIED ? "these events" : tried === 1 ? "this event" : `these ${formatNumber(tried)}`);
