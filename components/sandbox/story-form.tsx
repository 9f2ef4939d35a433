"use client";

import { BookOpen } from "lucide-react";
import { useState } from "react";
import { STORY_WORDS, webhookCount } from "#components/sandbox/sandbox-words";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { Select } from "#components/ui/select";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { useTellStory } from "#lib/client/sandbox";
import { type SandboxStory, sandboxStory } from "#lib/contracts/sandbox";

const STORIES = sandboxStory.options.map((value) => ({ value, ...STORY_WORDS[value] }));
const PACES = [
  { value: "0", label: "All at once" },
  { value: "700", label: "0.7 seconds apart" },
  { value: "2500", label: "2.5 seconds apart" },
];

/** Tells a story: a run of events that belong together. */
export function StoryForm() {
  const [story, setStory] = useState<SandboxStory>("document_to_done");
  const [pace, setPace] = useState("700");
  const [shuffled, setShuffled] = useState(false);
  const telling = useTellStory();
  function tell() {
    telling.mutate(
      { story, pace: Number(pace), shuffled },
      {
        onSuccess: ({ queued }) => toast.success(`The story has begun: ${webhookCount(queued)}`),
        onError: (error) => toast.error("The story was not told", { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Tell a story" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Story" hint={STORY_WORDS[story].hint}>
          <Select options={STORIES} value={story} onValueChange={(value) => setStory(sandboxStory.parse(value))} />
        </Field>
        <Field label="Pace">
          <Select options={PACES} value={pace} onValueChange={setPace} />
        </Field>
        <Switch checked={shuffled} onCheckedChange={setShuffled}>
          Send its events out of order
        </Switch>
        <Button variant="primary" icon={<BookOpen aria-hidden />} loading={telling.isPending} onClick={tell} className="self-start">
          Tell the story
        </Button>
      </PanelBody>
    </Panel>
  );
}
