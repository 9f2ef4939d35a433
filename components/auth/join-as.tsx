"use client";

import { signOut } from "next-auth/react";
import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { useHydrated } from "#components/ui/lists/use-hydrated";
import { Button } from "#components/ui/primitives/button";
import { acceptInvitation } from "#lib/client/queries/auth/members";

type JoinAsProps = { token: string; email: string; workspaceName: string; returnTo: string };

export function JoinAs({ token, email, workspaceName, returnTo }: JoinAsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();

  async function join() {
    setBusy(true);
    try {
      await acceptInvitation({ token });
      location.assign("/");
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }

  async function switchAccount() {
    await signOut({ redirect: false });
    location.assign(returnTo);
  }

  return (
    <div className="flex flex-col gap-4">
      {problem === null ? null : <ProblemNotice announce what="Couldn't join" why={problem} />}
      <p>
        You are signed in as <strong className="font-medium">{email}</strong>.
      </p>
      <Button variant="primary" size="lg" loading={busy} disabled={!hydrated} onClick={() => void join()}>
        Join {workspaceName}
      </Button>
      <Button size="lg" disabled={!hydrated || busy} onClick={() => void switchAccount()}>
        Use another account
      </Button>
    </div>
  );
}
