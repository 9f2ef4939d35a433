"use client";

import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { browserName } from "#lib/client/format/browser-name";
import { useEndSessions, useOwnSessions } from "#lib/client/queries/auth/account";
import type { OwnSession } from "#lib/contracts/auth/account";

const METHODS: Record<string, string> = { password: "with a password", sso: "with single sign-on", passkey: "with a passkey" };
const FACTORS: Record<string, string> = {
  totp: " and an authenticator app",
  passkey: " and a passkey",
  recovery_code: " and a recovery code",
  remembered: " in a remembered browser",
};

export function SessionList() {
  const { data, error, isPending, refetch } = useOwnSessions();
  const end = useEndSessions();
  const others = data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Sessions"
      description="Browsers where you are signed in. If you don't recognise one, end its session and change your password."
      actions={
        others === 0 ? undefined : (
          <ConfirmDialog
            trigger={<Button>End other sessions</Button>}
            title="End all other sessions?"
            description="You are signed out of every other browser immediately."
            confirmLabel="End other sessions"
            danger
            onConfirm={async () => {
              await end.mutateAsync(null);
              toast.success("Other sessions ended");
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
  const { current, userAgent, ip, method, factor, waiting, createdAt, lastSeenAt, workspaceName } = session;
  const browser = browserName(userAgent);
  return (
    <li data-row className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {browser}
          {current ? <Badge tone="fine">this browser</Badge> : null}
        </p>
        <p className="text-12 text-muted">
          {workspaceName} · {waiting ? "waiting for a second factor, started" : "signed in"} {METHODS[method] ?? ""}
          {method === "password" ? (FACTORS[factor ?? ""] ?? "") : ""} <RelativeTime at={createdAt} />
          {ip === null ? null : (
            <>
              {" "}
              from <span className="font-mono">{ip}</span>
            </>
          )}{" "}
          · last used <RelativeTime at={lastSeenAt} />
        </p>
      </div>
      {current ? null : (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`End session in ${browser}`}
          onClick={() => tellOutcome(onEnd(), () => toast.success("Session ended"), "Couldn't end the session")}
        >
          End
        </Button>
      )}
    </li>
  );
}
