import { type FormEvent, useEffect } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useAction } from "#components/ui/primitives/use-action";
import type { ProofKind } from "#lib/client/fetcher";
import { confirmPassword } from "#lib/client/queries/factors";
import { signInElsewhere, signInWords } from "#lib/client/queries/sign-in";
import { leavePage, stayOnPage } from "#lib/client/session-end";

const WHY = "This changes who has access, and you last confirmed that it is you more than 15 minutes ago.";

export function IdentityDialog({ kind, onEnd }: { kind: ProofKind; onEnd: (confirmed: boolean) => void }) {
  return (
    <Dialog open onOpenChange={() => onEnd(false)} title="Confirm that it's you" description={WHY}>
      {kind === "sso" ? <SsoAgain onCancel={() => onEnd(false)} /> : <PasswordForm onEnd={onEnd} />}
    </Dialog>
  );
}

function PasswordForm({ onEnd }: { onEnd: (confirmed: boolean) => void }) {
  const { run, busy, problem } = useAction(async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    await confirmPassword(String(new FormData(event.currentTarget).get("password")));
    onEnd(true);
  });
  return (
    <form method="post" onSubmit={run} className="flex flex-col gap-4">
      <Field label="Your password" error={problem?.message}>
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={() => onEnd(false)}>Cancel</Button>
        <Button type="submit" variant="primary" loading={busy}>
          Confirm password
        </Button>
      </div>
    </form>
  );
}

/** Leaves the page: anything entered here is entered again afterwards. */
function SsoAgain({ onCancel }: { onCancel: () => void }) {
  const { run: leave, busy, problem } = useAction(signInAgain);
  // If the dialog is closed, the page stays.
  useEffect(() => stayOnPage, []);
  return (
    <div className="flex flex-col gap-4">
      {problem ? <ProblemNotice announce what={signInWords("unreachable")} /> : null}
      <p className="text-muted">Your single sign-on provider asks you to sign in. You return to this page, then try again.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" loading={busy} onClick={() => leave()}>
          Continue with single sign-on
        </Button>
      </div>
    </div>
  );
}

/** Ends only if it fails: the button stays busy until the browser has left. */
async function signInAgain() {
  leavePage();
  try {
    await signInElsewhere(location.pathname + location.search, { prompt: "login" });
    await new Promise(() => {});
  } finally {
    stayOnPage();
  }
}
