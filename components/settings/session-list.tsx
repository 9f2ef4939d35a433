"use client";

import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { toast } from "#components/ui/toast";
import { useEndSessions, useOwnSessions } from "#lib/client/account";
import { browserName } from "#lib/client/browser-name";
import type { OwnSession } from "#lib/contracts/account";

const METHODS: Record<string, string> = { password: "with the password", sso: "by single sign-on" };

/** Where one is signed in, each to be ended. */
export function SessionList() {
  const { data, error, isPending, refetch } = useOwnSessions();
  const end = useEndSessions();
  const others = data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Sessions"
      description="Browsers in which you are signed in. One that you don't know: end it, and change the password."
      actions={
        others === 0 ? undefined : (
          <ConfirmDialog
            trigger={<Button>End all others</Button>}
            title="End all other sessions?"
            description="Every browser but this one is signed out at once."
            confirmLabel="End all others"
            danger
            onConfirm={async () => {
              await end.mutateAsync(null);
              toast.success("All other sessions are ended");
            }}
          />
        )
      }
    >
      {isPending ? (
        <LoadingState what="your sessions" rows={2} />
      ) : !data ? (
        <ErrorState what="your sessions" error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end.mutateAsync(session.id)} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => Promise<unknown> }) {
  const { current, userAgent, address, method, createdAt, lastSeenAt, workspaceName } = session;
  const browser = browserName(userAgent);
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {browser}
          {current ? <Badge tone="fine">this browser</Badge> : null}
        </p>
        <p className="text-12 text-muted">
          {workspaceName} · signed in {METHODS[method] ?? ""} <RelativeTime at={createdAt} />
          {address === null ? null : (
            <>
              {" "}
              from <span className="font-mono">{address}</span>
            </>
          )}{" "}
          · last used <RelativeTime at={lastSeenAt} />
        </p>
      </div>
      {current ? null : (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`End the session in ${browser}`}
          onClick={() =>
            void onEnd().then(
              () => toast.success("The session is ended"),
              (error: Error) => toast.error("The session was not ended", { description: error.message }),
            )
          }
        >
          End
        </Button>
      )}
    </li>
  );
}
