import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "#components/auth/sign-in-form";
import { hasUsers } from "#lib/auth/members/user-store";
import { currentActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { safeReturnTo } from "#lib/contracts/safe-urls";

export const metadata: Metadata = { title: "Sign in" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const { returnTo, callbackUrl, error } = await searchParams;
  const goTo = safeReturnTo(returnTo ?? callbackUrl);
  if (await currentActor()) redirect(goTo);
  if (!(await hasUsers())) redirect("/setup");
  return (
    <>
      <h1 className="mb-4 text-20 font-semibold">Sign in</h1>
      <SignInForm returnTo={goTo} error={typeof error === "string" ? error : null} singleSignOn={env().sso !== null} />
    </>
  );
}
