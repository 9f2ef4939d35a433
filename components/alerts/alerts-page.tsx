"use client";

import { ChannelsSection } from "./channels/channels-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { SentSection } from "./sent-section.tsx";

export function AlertsPage({ canManage }: { canManage: boolean }) {
  return (
    <>
      <ChannelsSection canManage={canManage} />
      <RulesSection canManage={canManage} />
      <SentSection canManage={canManage} />
    </>
  );
}
