"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Section } from "#components/ui/layout/section";
import { Switch } from "#components/ui/primitives/switch";
import { changeSignInPolicy } from "#lib/client/queries/auth/members";

export function SignInPolicy({ required, canChange }: { required: boolean; canChange: boolean }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  async function change(next: boolean) {
    setBusy(true);
    setProblem(null);
    try {
      await changeSignInPolicy(next);
      toast.success(next ? "Members need a second factor" : "Members no longer need a second factor");
      router.refresh();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Section
      title="Second factor"
      description="Members without one must set it up before they continue. Single sign-on is exempt: its provider decides. API keys keep working."
    >
      {problem === null ? null : <ProblemNotice announce className="mb-3" what="Couldn't change the setting" why={problem} />}
      {canChange ? (
        <Switch checked={required} disabled={busy} onCheckedChange={(next) => void change(next)}>
          Require a second factor for members who sign in with a password
        </Switch>
      ) : (
        <p className="text-muted">
          {required ? "Required for members who sign in with a password." : "Not required. An owner can require it."}
        </p>
      )}
    </Section>
  );
}
