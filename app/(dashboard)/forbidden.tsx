import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { PageBody } from "#components/ui/page-body";

export const metadata: Metadata = { title: "Not allowed" };

/** The person's role may not see this page. */
export default function Forbidden() {
  return (
    <PageBody>
      <h1 className="sr-only">Not allowed</h1>
      <NothingYet
        icon={<Lock aria-hidden />}
        title="Your role does not allow this page"
        actions={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        Ask an owner or admin of the workspace for another role.
      </NothingYet>
    </PageBody>
  );
}
