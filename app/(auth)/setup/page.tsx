import type { Metadata } from "next";
import { SetupForm } from "#components/auth/new-account-form";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LinkButton } from "#components/ui/primitives/button";
import type { SetupState } from "#lib/contracts/auth/setup";
import { findSetupState } from "#lib/flows/members/set-up-workspace";

export const metadata: Metadata = { title: "Set up", referrer: "no-referrer" };

type Query = Promise<Record<string, string | string[] | undefined>>;

const LINK_PROBLEMS: Record<Exclude<SetupState, "open">, { what: string; fix: string }> = {
  done: { what: "Signalbox already has an owner.", fix: "Sign in, or ask the owner to invite you." },
  used: { what: "This set-up link has already been used.", fix: "Sign in, or restart Signalbox to get a new link." },
  expired: { what: "This set-up link is older than 24 hours.", fix: "Restart Signalbox: it prints a new link in the terminal." },
  unknown: {
    what: "Open the set-up link from your terminal.",
    fix: "Signalbox prints it when it starts. Use the newest one.",
  },
};

/** First run: the person who opens the one-time link becomes the owner. */
export default async function SetupPage({ searchParams }: { searchParams: Query }) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const state = await findSetupState(given, new Date());
  if (state === "open") {
    return (
      <>
        <h1 className="text-20 font-semibold">Create your account</h1>
        <p className="mb-4 text-muted">Step 1 of 3. You will own the workspace and can invite others later.</p>
        <SetupForm token={given} />
      </>
    );
  }
  const { what, fix } = LINK_PROBLEMS[state];
  const signIn = <LinkButton href="/sign-in">Sign in</LinkButton>;
  return (
    <>
      <h1 className="mb-4 text-20 font-semibold">Set up Signalbox</h1>
      <ProblemNotice tone="attention" what={what} fix={fix} {...(state === "unknown" ? {} : { action: signIn })} />
    </>
  );
}
