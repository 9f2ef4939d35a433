import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { NothingYet } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/button";

export const metadata: Metadata = { title: "Not allowed" };

export default function Forbidden() {
  return (
    <PageBody>
      <h1 className="sr-only">Not allowed</h1>
      <NothingYet icon={<Lock />} title="You don't have access to this page" actions={<LinkButton href="/">Go to the overview</LinkButton>}>
        Ask a workspace owner or admin to change your role.
      </NothingYet>
    </PageBody>
  );
}
