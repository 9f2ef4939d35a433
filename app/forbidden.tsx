import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { DeadEnd } from "#components/shell/dead-end";

export const metadata: Metadata = { title: "Not allowed" };

/** The person's role may not see this page. */
export default function Forbidden() {
  return (
    <DeadEnd heading="Not allowed" icon={<Lock aria-hidden />} title="Your role does not allow this page">
      Ask an owner or admin of the workspace for another role.
    </DeadEnd>
  );
}
