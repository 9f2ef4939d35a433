import type { Metadata } from "next";
import { SetupForm } from "#components/auth/setup-form";
import { LinkButton } from "#components/ui/link-button";
import { ProblemNotice } from "#components/ui/problem-notice";
import type { SetupState } from "#lib/contracts/setup";
import { findSetupState } from "#lib/flows/complete-setup";

export const metadata: Metadata = { title: "Set up", referrer: "no-referrer" };

type Query = Promise<Record<string, string | string[] | undefined>>;

const REFUSALS: Record<Exclude<SetupState, "open">, { what: string; mend: string }> = {
  done: { what: "Signalbox has an owner already.", mend: "Sign in, or ask the owner to add you." },
  used: { what: "This set-up link was used before.", mend: "Sign in, or start Signalbox again for a new link." },
  expired: { what: "This set-up link is older than 24 hours.", mend: "Start Signalbox again: the terminal prints a new one." },
  unknown: {
    what: "Setting up needs the link from the terminal.",
    mend: "Open the newest address that Signalbox printed when it started.",
  },
};

/** First run: the one-time link makes its bearer the owner. */
export default async function SetupPage({ searchParams }: { searchParams: Query }) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const state = await findSetupState(given);
  if (state === "open") {
    return (
      <>
        <h1 className="text-20 font-semibold">Create the owner</h1>
        <p className="mb-4 text-muted">The first of three steps. You will own the workspace and can add others later.</p>
        <SetupForm token={given} />
      </>
    );
  }
  const { what, mend } = REFUSALS[state];
  const signIn = <LinkButton href="/sign-in">Sign in</LinkButton>;
  return (
    <>
      <h1 className="mb-4 text-20 font-semibold">Set up Signalbox</h1>
      <ProblemNotice tone="attention" what={what} mend={mend} {...(state === "unknown" ? {} : { action: signIn })} />
    </>
  );
}
