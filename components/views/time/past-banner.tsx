"use client";

import { Banner } from "#components/ui/banner";
import { Button } from "#components/ui/button";
import { ExactTime } from "#components/ui/exact-time";

/** Says that the page shows the past, and leads back. */
export function PastBanner({ asOf, partial, onBack }: { asOf: string; partial: boolean; onBack: () => void }) {
  return (
    <Banner
      tone="attention"
      action={
        <Button size="sm" onClick={onBack}>
          Back to now
        </Button>
      }
    >
      As of <ExactTime at={asOf} className="font-medium" />: as the events created up to then make it. Later ones are left out
      {partial ? ", and so are the oldest: there are too many to read again." : "."}
    </Banner>
  );
}
