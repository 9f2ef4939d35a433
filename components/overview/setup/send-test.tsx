"use client";

import { Send } from "lucide-react";
import { toast } from "#components/ui/feedback/toast";
import { Button } from "#components/ui/primitives/button";
import { useSendEvent } from "#lib/client/queries/sandbox";

export function SendTest({ primary }: { primary: boolean }) {
  const send = useSendEvent();
  return (
    <Button
      size="sm"
      variant={primary ? "primary" : "secondary"}
      icon={<Send aria-hidden />}
      loading={send.isPending}
      onClick={() =>
        send.mutate(
          { type: "document.processed" },
          {
            onSuccess: () => toast.success("The sandbox is sending a test event"),
            onError: (error) => toast.error("Couldn't send a test event", { description: error.message }),
          },
        )
      }
    >
      Send a test event
    </Button>
  );
}
