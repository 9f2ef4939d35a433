"use client";

import { ChannelsSection } from "./channels/channels-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { SentSection } from "./sent-section.tsx";

/** Shows where alerts go, what they are about, and what was sent to whom. */
export function AlertsPage({ canManage }: { canManage: boolean }) {
  return (
    <>
      <ChannelsSection canManage={canManage} />
      <RulesSection canManage={canManage} />
      <SentSection canManage={canManage} />
    </>
  );
}
