import { Pause, Play } from "lucide-react";
import { Button } from "#components/ui/primitives/button";
import { durationWords } from "#components/ui/time-format";
import { reachSentence, useReach } from "./connection.tsx";
import type { LiveStatus, useLive } from "./live-provider.tsx";

type LivePanelProps = { live: ReturnType<typeof useLive>; now: number; failing: boolean; delayed: boolean };

export function LivePanel({ live: { status, lastEventAt, paused, setPaused }, now, failing, delayed }: LivePanelProps) {
  const reach = useReach();
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13">{failing ? reachSentence(reach) : delayed ? DELAYED : sentence(status)}</p>
      <p className="text-12 text-muted">
        {lastEventAt === null
          ? "No events received yet."
          : `Last event received ${durationWords(Math.max(1000, now - Date.parse(lastEventAt)))} ago.`}
      </p>
      <Button size="sm" icon={paused ? <Play /> : <Pause />} onClick={() => setPaused(!paused)}>
        {paused ? "Resume live feed" : "Pause live feed"}
      </Button>
    </div>
  );
}

const DELAYED =
  "A long-running database transaction is delaying new events. They are stored, and will appear here and in search when it ends. If it doesn't end, look for the oldest session in pg_stat_activity.";

function sentence(status: LiveStatus): string {
  if (status === "live") return "Pages update as events arrive.";
  if (status === "paused") return "Pages won't update. New events load when you resume.";
  if (status === "connecting") return "Connecting to the live feed.";
  return "The live feed was interrupted. Retrying. What arrives meanwhile loads when it is back.";
}
