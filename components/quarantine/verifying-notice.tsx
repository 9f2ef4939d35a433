"use client";

import { Banner } from "#components/ui/feedback/banner";
import { useReleasable } from "#lib/client/queries/quarantine/releases";
import { requestsWords } from "./dismiss-quarantined.tsx";
import { ReleaseAll } from "./release-all.tsx";

const EVERYTHING = {};

/**
 * After a secret was set right: how many requests of the whole quarantine verify now, and the button that releases them.
 *
 * @param active some of the loaded requests verify now
 */
export function VerifyingNotice({ active }: { active: boolean }) {
  const { state } = useReleasable(EVERYTHING, active);
  const { counting, counted } = state;
  const shown = active && counted.verifying > 0;
  const words = `${requestsWords(counted.verifying)} now ${counted.verifying === 1 ? "verifies" : "verify"}${counting ? ", still counting" : ""}.`;
  // The window stays open when nothing is left to release: it says what came of it.
  return (
    <div className="flex flex-wrap items-center gap-3 empty:hidden">
      {shown ? (
        <Banner tone="working" className="flex-1">
          {words}
        </Banner>
      ) : null}
      <ReleaseAll filter={EVERYTHING} label="Release them" variant="primary" offered={shown} />
    </div>
  );
}
