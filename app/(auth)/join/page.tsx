import type { Metadata } from "next";
import { JoinAs, JoinForm } from "#components/auth/join-workspace";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LinkButton } from "#components/ui/primitives/button";
import { findInvitation } from "#lib/auth/members/invitation-store";
import { currentActor } from "#lib/auth/require-actor";
import { INVITE_REJECTED } from "#lib/flows/members/members";
import { hashToken } from "#lib/vault/opaque-token";

export const metadata: Metadata = { title: "Invite", referrer: "no-referrer" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function JoinPage({ searchParams }: { searchParams: Query }) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const invitation = await findInvitation(hashToken(given), new Date());
  if (invitation.state !== "open") {
    return (
      <>
        <h1 className="mb-4 text-20 font-semibold">Invite</h1>
        <ProblemNotice
          tone="attention"
          what={INVITE_REJECTED[invitation.state]}
          action={<LinkButton href="/sign-in">Sign in</LinkButton>}
        />
      </>
    );
  }
  const actor = await currentActor();
  const { workspaceName, role, email, createdBy } = invitation;
  const returnTo = `/join?token=${encodeURIComponent(given)}`;
  return (
    <>
      <h1 className="text-20 font-semibold">Join {workspaceName}</h1>
      <p className="mb-4 text-muted">
        {createdBy} invited you as {role === "owner" || role === "admin" ? "an" : "a"} {role}.
      </p>
      {actor?.by.kind === "session" ? (
        <JoinAs token={given} email={actor.by.email} workspaceName={workspaceName} returnTo={returnTo} />
      ) : (
        <JoinForm token={given} email={email} workspaceName={workspaceName} returnTo={returnTo} />
      )}
    </>
  );
}
