import { KeyRound } from "lucide-react";
import { useState } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce, secretCloses } from "#components/ui/secrets";
import { useChangeSource, useShowVerificationToken } from "#lib/client/queries/sources";
import type { Source } from "#lib/contracts/sources/sources";

type BroughtSecretProps = { source: Source; canManage: boolean };

/** Says that the sender may bring its secret, and shows what came: once, for senders that want it entered there. */
export function BroughtSecret({ source, canManage }: BroughtSecretProps) {
  const change = useChangeSource(source.id);
  // The source forgets it as soon as the token is shown; the dialog stays.
  const [open, setOpen] = useState(false);
  const { learning } = source.scheme;
  if (learning === undefined && !open) return null;
  const isBrought = learning?.secretId !== undefined;
  const wait = () =>
    tellOutcome(
      change.mutateAsync({ learning: true }),
      () => toast.success(`${source.name} waits for its secret for ten minutes`),
      `Couldn't open ${source.name}`,
    );
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 text-13 text-muted">
      {learning === undefined ? null : (
        <span>
          {isBrought ? "Its sender brought the secret. It can be shown until " : "Its sender may bring the secret until "}
          <RelativeTime at={learning.until} ahead />.
        </span>
      )}
      {canManage && (isBrought || open) ? <ShowDialog source={source} open={open} setOpen={setOpen} /> : null}
      {canManage && learning !== undefined && !isBrought ? (
        <Button size="sm" loading={change.isPending} onClick={wait}>
          Wait ten more minutes
        </Button>
      ) : null}
    </div>
  );
}

type ShowDialogProps = { source: Source; open: boolean; setOpen: (open: boolean) => void };

function ShowDialog({ source: { id, name }, open, setOpen }: ShowDialogProps) {
  const show = useShowVerificationToken(id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) show.reset();
      }}
      closes={secretCloses(show.isPending, show.data?.token)}
      title={`Verification token of ${name}`}
      trigger={
        <Button size="sm" icon={<KeyRound aria-hidden />}>
          Show verification token
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {show.data ? (
          <SecretOnce secret={show.data.token} what="token" keep="Enter it at the sender. Signalbox verifies requests with it." />
        ) : (
          <p>The sender's first request brought this token. It is shown once.</p>
        )}
        {show.error ? <p className="text-failed">{show.error.message}</p> : null}
        {show.data ? (
          <Button className="self-end" variant="primary" onClick={() => setOpen(false)}>
            I've copied it
          </Button>
        ) : (
          <Button className="self-end" variant="primary" loading={show.isPending} onClick={() => show.mutate()}>
            Show it
          </Button>
        )}
      </div>
    </Dialog>
  );
}
