"use client";

import { webhookCount } from "#components/sandbox/sandbox-words";
import { Button } from "#components/ui/button";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { useTellStory } from "#lib/client/sandbox";
import type { LateStory, MissingStory } from "#lib/contracts/sandbox";

type Pair = { missing: MissingStory; late: LateStory; label: string; expect: string };

const PAIRS: Pair[] = [
  {
    missing: "task_never_created",
    late: "task_created_late",
    label: "A task nobody created",
    expect: "Assigned and completed; task.created never comes.",
  },
  {
    missing: "upload_never_came",
    late: "upload_came_late",
    label: "A document nobody uploaded",
    expect: "Processed; document.uploaded never comes.",
  },
  {
    missing: "run_never_ends",
    late: "run_ends_late",
    label: "A run without an end",
    expect: "Triggered 45 minutes ago, and nothing since.",
  },
  {
    missing: "stage_never_entered",
    late: "stage_entered_late",
    label: "A stage never entered",
    expect: "The task leaves Review, where it never came to.",
  },
  {
    missing: "disconnected_yet_working",
    late: "connected_again",
    label: "Disconnected, yet working",
    expect: "Needs one connected account, which the platform goes on to renew.",
  },
  {
    missing: "source_falls_silent",
    late: "source_speaks_again",
    label: "A source that falls silent",
    expect: "An event every 3 minutes, then 40 minutes of nothing. It shows when nothing else came meanwhile.",
  },
];

/** Lets an event go missing, and come after all: what the page of what never came is for. */
export function MissingPanel() {
  const telling = useTellStory();
  const tell = (story: MissingStory | LateStory, label: string) =>
    telling.mutate(
      { story, pace: 0, shuffled: false },
      {
        onSuccess: ({ queued }) => toast.success(`${label}: sending ${webhookCount(queued)}`),
        onError: (error) => toast.error(`${label}: nothing was sent`, { description: error.message }),
      },
    );
  const isTelling = (story: MissingStory | LateStory) => telling.isPending && telling.variables.story === story;
  return (
    <Panel>
      <PanelHeader title="Let an event go missing" />
      <ul>
        {PAIRS.map(({ missing, late, label, expect }) => (
          <li key={missing} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1 basis-44">
              <p className="text-13">{label}</p>
              <p className="text-12 text-muted">{expect}</p>
            </div>
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={`Tell it: ${label.toLowerCase()}`}
                loading={isTelling(missing)}
                onClick={() => tell(missing, label)}
              >
                Tell it
              </Button>
              <Button size="sm" aria-label={`Bring it: ${label.toLowerCase()}`} loading={isTelling(late)} onClick={() => tell(late, label)}>
                Bring it
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <PanelBody>
        <p className="text-13 text-muted">
          The suspicion shows after about 20 seconds under <TextLink href="/findings">Missing</TextLink>, and closes by itself when the
          event comes.
        </p>
      </PanelBody>
    </Panel>
  );
}
