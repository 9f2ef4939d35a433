"use client";

import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { AdmitProgress } from "#components/refused/admit-progress";
import { Button } from "#components/ui/button";
import { formatNumber } from "#components/ui/count";
import { Dialog } from "#components/ui/dialog";
import { useAdmissions } from "#lib/client/admissions";
import type { AdmissionsBody } from "#lib/contracts/quarantine";

/** Verifies all refused requests again: first how many pass now, then the press that admits them, then what became of it. */
export function AdmitAll({
  filter,
  label,
  variant,
}: {
  filter: AdmissionsBody["filter"];
  label: string;
  variant: "primary" | "secondary";
}) {
  const [open, setOpen] = useState(false);
  const { state, admit, retry } = useAdmissions(filter, open);
  const { phase, counted, error } = state;
  const ready = phase === "counted" && counted.verifying > 0;
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Re-verify what was refused"
      description="Each is held against the secrets that are valid now. Only what verifies to the letter is admitted; nothing is admitted on a guess."
      trigger={
        <Button variant={variant} size={variant === "primary" ? "md" : "sm"} icon={<ShieldCheck aria-hidden />}>
          {label}
        </Button>
      }
      footer={
        <>
          <Button onClick={() => setOpen(false)}>{phase === "done" || (phase === "counted" && !ready) ? "Close" : "Cancel"}</Button>
          {error ? <Button onClick={phase === "counting" ? retry : admit}>Try again</Button> : null}
          {ready || phase === "admitting" ? (
            <Button variant="primary" loading={phase === "admitting" && !error} onClick={admit}>
              {`Admit ${formatNumber(counted.verifying)}`}
            </Button>
          ) : null}
        </>
      }
    >
      <AdmitProgress state={state} />
    </Dialog>
  );
}
