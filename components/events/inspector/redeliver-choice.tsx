import { useState } from "react";
import { AlsoToDestinations } from "#components/records/also-to-destinations";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";

type RedeliverChoiceProps = { onClose: () => void; onRedeliver: (destinations: boolean) => void };

export function RedeliverChoice({ onClose, onRedeliver }: RedeliverChoiceProps) {
  const [destinations, setDestinations] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Re-deliver this event"
      description="Applies the current logic to the original bytes. Records don't change if it was applied already."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onRedeliver(destinations)}>
            Re-deliver
          </Button>
        </>
      }
    >
      <AlsoToDestinations checked={destinations} onChange={setDestinations} />
    </Dialog>
  );
}
