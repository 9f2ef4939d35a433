import { useQuery } from "@tanstack/react-query";
import { OperationProgress } from "#components/records/operation-progress";
import { LoadingState } from "#components/ui/layout/content-states";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { operationQuery } from "#lib/client/queries/operations";

export function ExportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery(operationQuery(id));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Export events"
      description="Your browser saves the file while it is written. Events received meanwhile are left out."
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      {data ? (
        <OperationProgress operation={data} allowed unit={["event written", "events written"]}>
          {data.state === "stopped" ? <p className="text-12 text-muted">The file is incomplete. Start a new export.</p> : null}
        </OperationProgress>
      ) : (
        <LoadingState what="the progress" rows={1} />
      )}
    </Dialog>
  );
}
