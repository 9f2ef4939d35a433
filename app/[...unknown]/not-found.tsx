import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import { NothingYet } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/button";
import { currentActor } from "#lib/auth/require-actor";
import DashboardLayout from "../(dashboard)/layout.tsx";
import DeadEnd from "../not-found.tsx";

export const metadata: Metadata = { title: "Not found" };

/** Not in app/not-found.tsx: Next renders that with every page. */
export default async function UnknownUrl() {
  if (!(await currentActor())) return <DeadEnd />;
  return (
    <DashboardLayout>
      <PageBody>
        <h1 className="sr-only">Not found</h1>
        <NothingYet
          icon={<FileQuestion />}
          title="There is no page at this URL"
          actions={<LinkButton href="/">Go to the overview</LinkButton>}
        >
          The URL may be mistyped, or the page has moved.
        </NothingYet>
      </PageBody>
    </DashboardLayout>
  );
}
