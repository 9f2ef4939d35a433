"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field, Form } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button, RowButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { RelativeTime } from "#components/ui/relative-time";
import { type TimeZoneChoice, useExactWords, useTimeZoneChoice } from "#components/ui/time-format";
import { browserName } from "#lib/client/format/caller-labels";
import { changePreferences, useChangePassword, useEndSessions, useOwnSessions } from "#lib/client/queries/account";
import type { OwnSession } from "#lib/contracts/auth/account";

export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword();
  const hydrated = useHydrated();
  function submit(fields: FormData, form: HTMLFormElement) {
    const text = (name: string) => String(fields.get(name) ?? "");
    change.mutate(
      { current: text("current"), next: text("next") },
      {
        onSuccess: () => {
          form.reset();
          toast.success("Password changed", { description: "You are signed out of every other browser." });
        },
      },
    );
  }
  return (
    <Form failed="Couldn't change the password" error={change.error} method="post" onSubmit={submit} className="max-w-[400px]">
      {/* Password managers use it to find the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field name="current" label="Current password">
        <Input name="current" type="password" autoComplete="current-password" required />
      </Field>
      <Field name="next" label="New password" hint="At least 12 characters. Try a few random words.">
        <Input name="next" type="password" autoComplete="new-password" required minLength={12} />
      </Field>
      <Button type="submit" variant="primary" className="self-start" loading={change.isPending} disabled={!hydrated}>
        Change password
      </Button>
    </Form>
  );
}

const METHODS: Record<string, string> = { password: "with a password", sso: "with single sign-on", passkey: "with a passkey" };
const FACTORS: Record<string, string> = {
  totp: " and an authenticator app",
  passkey: " and a passkey",
  recovery_code: " and a recovery code",
  remembered: " in a remembered browser",
};

export function SessionList() {
  const { data, fallback } = withFallback(useOwnSessions(), { what: "your sessions", rows: 2 });
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
            onConfirm={() => end.mutateAsync(null)}
            done="Other sessions ended"
          />
        )
      }
    >
      {!data ? (
        fallback
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
          <bdi>{workspaceName}</bdi> · {waiting ? "waiting for a second factor, started" : "signed in"} {METHODS[method] ?? ""}
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
        <RowButton
          aria-label={`End session in ${browser}`}
          onClick={() => tellOutcome(onEnd(), "Session ended", "Couldn't end the session")}
        >
          End
        </RowButton>
      )}
    </li>
  );
}

const CHOICES = [
  { value: "local", label: "Local time" },
  { value: "utc", label: "UTC" },
] as const;

/** Sets the time zone of every page, in all browsers of this person. */
export function TimeZonePicker() {
  const chosen = useTimeZoneChoice();
  const router = useRouter();
  const exactWords = useExactWords();
  const [example] = useState(() => Date.now());
  const [pending, startTransition] = useTransition();
  const choose = (timeZone: TimeZoneChoice) =>
    startTransition(async () => {
      try {
        await changePreferences({ timeZone });
        router.refresh();
      } catch (error) {
        toast.error("Couldn't change the time zone", { description: (error as Error).message });
      }
    });
  return (
    <div aria-busy={pending} className="flex flex-wrap items-center gap-3">
      <ChoiceButtons legend="Time zone" choices={CHOICES} chosen={chosen} onChoose={choose} />
      <span suppressHydrationWarning className="font-mono text-12 text-muted">
        {exactWords(example)}
      </span>
    </div>
  );
}
