import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { ProveForm, RequiredSetUp, UseAnotherAccount } from "#components/auth/second-factor";
import { requirePerson } from "#lib/auth/actor";
import { findActor, findPendingStep } from "#lib/auth/find-actor";
import { safeReturnTo } from "#lib/contracts/safe-urls";
import { readFactors } from "#lib/flows/sign-in/manage-factors";

export const metadata: Metadata = { title: "Second factor" };

type Query = Promise<Record<string, string | string[] | undefined>>;

/** Asks a signed-in session for its second factor, or to set up the one that its workspace requires. */
export default async function SecondFactorPage({ searchParams }: { searchParams: Query }) {
  const goTo = safeReturnTo((await searchParams).returnTo);
  const [now, sent] = [new Date(), new Headers(await headers())];
  const step = await findPendingStep(sent, now);
  const actor = step && (await findActor(sent, now, step));
  if (!actor) redirect(goTo);
  requirePerson(actor);
  const { totpSince, passkeys } = await readFactors(actor, now);
  return (
    <>
      <h1 className="text-20 font-semibold">{step === "prove" ? "Second factor" : "Set up a second factor"}</h1>
      <p className="mb-4 text-muted">
        {step === "prove" ? (
          `Signing in as ${actor.by.email}.`
        ) : (
          <>
            <bdi>{actor.workspaceName}</bdi> requires a second factor from everyone who signs in with a password.
          </>
        )}
      </p>
      {step === "prove" ? (
        <ProveForm
          returnTo={goTo}
          kinds={[...(totpSince ? ["totp" as const] : []), ...(passkeys.length > 0 ? ["passkey" as const] : [])]}
        />
      ) : (
        <RequiredSetUp returnTo={goTo} />
      )}
      <UseAnotherAccount />
    </>
  );
}
